import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileStores } from '../../src/activities/stores.ts';
import { removeOldSessions } from '../../src/service/remove-session.ts';
import { caller, startWorld, until } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const DAY_MS = 86_400_000;
const session = (id: string) => ({ format: 1, id, file_hash: '', directory: '/' });
const plan = (run: string) => `plan: 1\nname: x\ntasks: { a: { run: "${run}" } }\n`;
// Other tests have sessions on the same server.
const MINE = ['over', 'failed'];
const sessionsOf = async () =>
  (await world.service.sessions(caller)).map(({ session_id }) => session_id).filter((id) => MINE.includes(id));

test('a week after it completed a session is removed by itself; one that can be resumed, and a plan that is none, stay', async () => {
  const [over, failed, other] = [
    await world.create(plan('true'), { session: session('over') }),
    await world.create(plan('false'), { session: session('failed') }),
    await world.create(plan('true')),
  ];
  await world.reaches(over, 'completed');
  await world.reaches(failed, 'failed');
  await world.reaches(other, 'completed');
  await until('the list knows', async () => (await sessionsOf()).length === 2);
  const remove = (days: number) => removeOldSessions(world.client, fileStores(world.home), Date.now() + days * DAY_MS);
  expect(await remove(6.9)).toBe(0);
  await until('it is gone', async () => (await remove(7.1)) >= 0 && !(await sessionsOf()).includes('over'));
  expect(await sessionsOf()).toEqual(['failed']);
  await expect(world.service.session(caller, 'over')).rejects.toMatchObject({ code: 'PLAN_NOT_FOUND' });
  expect((await world.read(failed)).state.status).toBe('failed');
  expect((await world.read(other)).state.status).toBe('completed');
});
