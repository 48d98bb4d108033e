import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRunning } from '../support/processes.ts';
import { startWorld, until, witness } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});

const interrupt = (id: string) => world.command(id, 'pause', { interrupt: true });
const resume = (id: string) => world.command(id, 'resume');
const waits = (w: ReturnType<typeof witness>, id: string) =>
  `echo $$ >> ${w.path('pids')}; ${w.mark(id)}; test -f ${w.path('ok')} || sleep 60`;
const pids = (w: ReturnType<typeof witness>) => readFileSync(w.path('pids'), 'utf8').trim().split('\n').map(Number);

test('a running command is ended, and runs again when the plan goes on; attempts are not spent', async () => {
  const w = witness();
  const id = await world.create(`plan: 1\nname: i\nsteps:\n  - run: "${w.mark('a')}"\n  - run: "${waits(w, 'b')}"\n`);
  await until('b runs', () => w.n('b') === 1);
  expect((await interrupt(id)).result).toBe('accepted');
  const view = await world.reaches(id, 'paused');
  expect(pids(w).some(isRunning)).toBe(false);
  expect(view.waiting_for[0]!.text).toMatch(/^resume: interrupted by /);
  expect(view.position).toEqual({ step: 2, steps: 2 });
  writeFileSync(w.path('ok'), '');
  expect((await resume(id)).result).toBe('done');
  const done = await world.reaches(id, 'completed');
  expect([w.n('a'), w.n('b'), done.tasks[1]!.attempt]).toEqual([1, 2, 1]);
});

test('what runs in items of a map and in sub-plans of sub-plans is ended and runs again, too; nothing else does', async () => {
  const w = witness();
  const id = await world.create(`
plan: 1
name: nested
tasks:
  each:
    map:
      in: [1, 2, 3]
      max_parallel: 1
      task:
        plan:
          inputs: { n: "\${{ item }}" }
          steps:
            - run: "echo \${{ inputs.n }} >> ${w.path('first')}"
            - run: "echo \${{ inputs.n }} >> ${w.path('second')}; test \${{ inputs.n }} != 2 || { ${waits(w, 'inner')}; }"
  alone: { plan: { tasks: { deep: { plan: { tasks: { x: { run: "${waits(w, 'deep')}" } } } } } } }
`);
  await until('both run', () => w.n('inner') === 1 && w.n('deep') === 1, 40_000);
  await interrupt(id);
  await world.reaches(id, 'paused', 30_000);
  expect(pids(w).some(isRunning)).toBe(false);
  writeFileSync(w.path('ok'), '');
  await resume(id);
  await world.reaches(id, 'completed', 40_000);
  const lines = (name: string) => readFileSync(w.path(name), 'utf8').trim().split('\n').join(' ');
  expect([lines('first'), lines('second'), w.n('inner'), w.n('deep')]).toEqual(['1 2 3', '1 2 2 3', 2, 2]);
}, 120_000);

test('interrupted while its worker is dead, a plan makes no attempt before it is resumed', async () => {
  const w = witness();
  const id = await world.create(`plan: 1\nname: dead\nsteps:\n  - run: "${waits(w, 'a')}"\n`);
  await until('a runs', () => w.n('a') === 1);
  await world.stopWorker();
  await world.handle(id).signal('pause', { schema_version: 1, request_id: 'lost', interrupt: true });
  await world.startWorker();
  await world.reaches(id, 'paused', 30_000);
  expect(w.n('a')).toBe(1);
  writeFileSync(w.path('ok'), '');
  await resume(id);
  await world.reaches(id, 'completed');
  expect(w.n('a')).toBe(2);
});

test('what was being computed is computed anew, and fails nothing', async () => {
  const w = witness();
  const id = await world.create(`
plan: 1
name: aside
tasks:
  big: { run: "head -c 300000 /dev/zero | tr '\\\\0' x; ${w.mark('big')}" }
  reads: { needs: [big], if: "tasks.big.outputs.stdout.size() > 10", run: "${w.mark('reads')}" }
`);
  await until('it is through with the first', () => w.n('big') === 1);
  for (let tries = 0; tries < 5; tries++) {
    await interrupt(id).catch(() => undefined);
    await resume(id).catch(() => undefined);
  }
  const ended = await until('it has ended', async () => {
    const { state } = await world.read(id);
    if (state.status === 'paused') await resume(id).catch(() => undefined);
    return ['completed', 'failed'].includes(state.status) && state.status;
  });
  expect([ended, w.n('big')]).toEqual(['completed', 1]);
});
