import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { caller, startWorld, until, witness } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});
const command = (
  id: string,
  name: 'pause' | 'resume' | 'stop' | 'approve' | 'answer' | 'hold' | 'release',
  more = {},
) => world.command(id, name, more);

test('a sub-plan reads its inputs, runs its tasks, and leaves the outputs that it names', async () => {
  const id = await world.create(`
plan: 1
name: outer
inputs: { who: { type: string, default: ann } }
env: { A: outer }
tasks:
  first: { run: "echo hi" }
  sub:
    needs: [first]
    env: { B: task }
    plan:
      inputs: { greeting: "\${{ tasks.first.outputs.stdout }} \${{ inputs.who }}" }
      outputs: { said: "\${{ tasks.say.outputs.stdout }}" }
      tasks:
        say: { run: "echo \${{ inputs.greeting }} $A $B $HOLDPOINT_TASK" }
  last: { needs: [sub], run: "echo \${{ tasks.sub.outputs.said }}" }
`);
  await world.reaches(id, 'completed');
  expect((await world.task(id, 'last')).outputs).toMatchObject({ stdout: 'hi ann outer task sub/say' });
});

test('a sub-plan holds, asks and stops with its parent, and is no plan of its own', async () => {
  const w = witness();
  const id = await world.create(`
plan: 1
name: outer-only
tasks:
  sub:
    plan:
      tasks:
        a: { run: "${w.mark('a')}; sleep 0.5" }
        ok: { needs: [a], approve: Go? }
        b: { needs: [ok], run: "${w.mark('b')}; sleep 30" }
`);
  await until('a runs', () => w.n('a') === 1);
  const running = await world.read(id);
  expect(running.state.status).toBe('executing');
  expect(running.tasks.map(({ id }) => id)).toEqual(['sub', 'sub/a', 'sub/ok', 'sub/b']);
  expect((await command(id, 'pause')).result).toBe('accepted');
  await world.reaches(id, 'paused');
  await delay(300);
  expect((await world.read(id)).questions).toEqual([]);
  await command(id, 'resume');
  const asks = await world.reaches(id, 'awaiting_input');
  expect(asks.questions).toMatchObject([{ id: 'sub/ok.1', task: 'sub/ok', kind: 'approve' }]);
  // Whatever waits can be paused at once, and answered while it is.
  expect((await command(id, 'pause')).result).toBe('done');
  await command(id, 'resume');
  await command(id, 'approve');
  await until('b runs', () => w.n('b') === 1);
  expect((await command(id, 'stop')).result).toBe('done');
  await world.reaches(id, 'stopped', 8_000);
  const { plans } = await world.service.list(caller, { name: 'outer-only' });
  expect(plans.map(({ plan_id }) => plan_id)).toEqual([id]);
});

test('a hold point inside a sub-plan, by its path', async () => {
  const w = witness();
  const id = await world.create(`
plan: 1
name: outer
tasks:
  sub: { plan: { tasks: { a: { run: "sleep 0.5" }, b: { needs: [a], run: "${w.mark('b')}" } } } }
`);
  await until('it runs', async () => (await world.read(id)).current_tasks.includes('sub/a'));
  expect((await command(id, 'hold', { task: 'sub/b' })).result).toBe('done');
  await world.reaches(id, 'awaiting_input');
  expect(w.n('b')).toBe(0);
  await command(id, 'release', { task: 'sub/b' });
  await world.reaches(id, 'completed');
  expect(w.n('b')).toBe(1);
});

test('a sub-plan that fails fails its task; the next run keeps what it had finished', async () => {
  const w = witness();
  const id = await world.create(`
plan: 1
name: outer
tasks:
  sub: { plan: { tasks: { a: { run: "${w.mark('a')}" }, b: { needs: [a], run: "${w.mark('b')}; test -f ${w.path('ok')}" } } } }
`);
  const { error } = await world.reaches(id, 'failed');
  expect(error).toMatchObject({ task: 'sub', message: 'sub/b: exit code 1' });
  const { writeFileSync } = await import('node:fs');
  writeFileSync(w.path('ok'), '');
  await world.service.nextRun(caller, id, { mode: 'resume' });
  await world.reaches(id, 'completed');
  expect([w.n('a'), w.n('b')]).toEqual([1, 2]);
});

test('when a sibling fails, what runs in a sub-plan ends and nothing more starts', async () => {
  const w = witness();
  const id = await world.create(`
plan: 1
name: outer
tasks:
  sub: { plan: { tasks: { a: { run: "${w.mark('a')}; sleep 1" }, b: { needs: [a], run: "${w.mark('b')}" } } } }
  bad: { run: "until test -f ${w.path('a')}; do sleep 0.05; done; exit 3" }
`);
  const view = await world.reaches(id, 'failed');
  expect(view.error).toMatchObject({ task: 'bad' });
  expect([w.n('a'), w.n('b')]).toEqual([1, 0]);
});

test('a sub-plan for every item of a map', async () => {
  const id = await world.create(`
plan: 1
name: outer
tasks:
  each:
    map:
      in: [1, 2]
      task:
        plan:
          inputs: { n: "\${{ item }}" }
          outputs: { twice: "\${{ tasks.t.outputs.v }}" }
          steps:
            - { id: t, set: { v: "\${{ inputs.n * 2 }}" } }
  sum: { needs: [each], set: { all: "\${{ tasks.each.outputs.results.map(r, r.outputs.twice) }}" } }
`);
  await world.reaches(id, 'completed');
  expect((await world.task(id, 'sum')).outputs).toEqual({ all: [2, 4] });
});

test('a sub-plan ended from outside fails its task and says so', async () => {
  const w = witness();
  const id = await world.create(
    `plan: 1\nname: outer\ntasks:\n  sub: { plan: { tasks: { a: { run: "${w.mark('a')}; sleep 60" } } } }\n`,
  );
  await until('a runs', () => w.n('a') === 1);
  await world.client.workflow.getHandle(`plan/local/${id}/sub`).terminate('by hand');
  const { error } = await world.reaches(id, 'failed');
  expect(error).toMatchObject({ task: 'sub', code: 'CHILD_ENDED_OUTSIDE' });
});
