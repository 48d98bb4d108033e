import { afterAll, beforeAll, expect, test } from 'vitest';
import { caller, startWorld, until, witness } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});

const chain = (n: number, run: (i: number) => string) =>
  Array.from({ length: n }, (_, i) => `  c${i}: { ${i > 0 ? `needs: [c${i - 1}], ` : ''}run: "${run(i)}" }`).join('\n');

test('a long task does not hold up a chain that fills the history: the chain goes on in segments', async () => {
  const w = witness();
  const id = await world.create(`
plan: 1
name: long
tasks:
  long: { run: "until test -f ${w.path('c619')}; do sleep 0.1; done" }
${chain(620, (i) => w.mark(`c${i}`))}
  both: { needs: [long, c610], run: "${w.mark('both')}" }
`);
  await until('the chain is past the first mark', () => w.n('c430') === 1, 90_000);
  expect((await world.read(id)).children).toMatchObject([{ kind: 'segment' }]);
  await until('all has run', () => w.n('both') === 1, 90_000);
  const view = await world.reaches(id, 'completed', 10_000);
  expect(view.progress).toEqual({ done: 622, total: 622, percentage: 100 });
  expect(Array.from({ length: 620 }, (_, i) => w.n(`c${i}`)).every((n) => n === 1)).toBe(true);
  const events = await world.service.events(caller, id, 0);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, k) => k + 1));
  expect(events.filter(({ type }) => type === 'TaskSucceeded')).toHaveLength(622);
}, 180_000);

test('a segment shows its tasks, holds, fails and stops with its plan', async () => {
  const w = witness();
  const plan = (last: string) => `
plan: 1
name: long
tasks:
  long: { run: "until test -f ${w.path('end')}; do sleep 0.1; done" }
${chain(440, (i) => (i < 425 ? 'true' : `${w.mark(`c${i}`)}; sleep 0.3`))}
  last: { needs: [c430], run: "${last}" }
`;
  const id = await world.create(plan('exit 3'));
  await until('the segment is at work', () => w.n('c425') === 1, 90_000);
  const view = await world.read(id);
  expect(view.children).toMatchObject([{ kind: 'segment' }]);
  expect(view.current_tasks).toContain('c425');
  expect(view.progress.done).toBeGreaterThanOrEqual(425);
  await world.command(id, 'pause');
  await until('only the long task runs', async () => (await world.read(id)).current_tasks.join() === 'long');
  const held = w.n('c427');
  const hold = await world.command(id, 'hold', { task: 'c439' });
  expect(hold.result).toBe('done');
  await world.command(id, 'resume');
  await until(
    'it fails',
    async () => (await world.read(id)).tasks.find(({ id }) => id === 'last')?.status === 'failed',
  );
  expect(held).toBe(0);
  const { writeFileSync } = await import('node:fs');
  writeFileSync(w.path('end'), '');
  const failed = await world.reaches(id, 'failed', 10_000);
  expect(failed.error).toMatchObject({ task: 'last', message: 'exit code 3' });
  expect(w.n('c439')).toBe(0);
}, 180_000);
