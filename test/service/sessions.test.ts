import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, test } from 'vitest';
import { caller, startWorld, until, witness } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});

const start = (id: string, run: string): Promise<string> =>
  world.create(`plan: 1\nname: s\nsteps:\n  - run: "${run}"\n`, {
    session: { format: 1, id, file_hash: '', directory: '/' },
  });
const listed = async (mine: string[], which?: 'unfinished') =>
  (await world.service.sessions(caller, which))
    .filter(({ session_id }) => mine.includes(session_id))
    .map(({ session_id, state }) => `${session_id} ${state}`)
    .sort();

test('unfinished sessions are all but those whose last run completed, also where an earlier one failed', async () => {
  const w = witness();
  const names = ['done', 'failed', 'mended'].map((name) => `${name}-${w.dir.slice(-6)}`);
  const [done, failed, mended] = names;
  // The list is behind by a moment.
  const shows = (which: 'unfinished' | undefined, wanted: string[]) =>
    until(`${which ?? 'all'}: ${wanted}`, async () => String(await listed(names, which)) === String(wanted));
  const ids = [
    await start(done!, 'true'),
    await start(failed!, 'false'),
    await start(mended!, `test -f ${w.path('ok')}`),
  ];
  await world.reaches(ids[0]!, 'completed');
  await world.reaches(ids[1]!, 'failed');
  await world.reaches(ids[2]!, 'failed');
  await shows('unfinished', [`${failed} failed`, `${mended} failed`]);
  writeFileSync(w.path('ok'), '');
  await world.service.nextRun(caller, ids[2]!, { mode: 'resume' });
  await shows(undefined, [`${done} completed`, `${failed} failed`, `${mended} completed`]);
  await shows('unfinished', [`${failed} failed`]);
});
