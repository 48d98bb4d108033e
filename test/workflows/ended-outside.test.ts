import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unpack } from '../../src/contract/packed.ts';
import type { PlanInput } from '../../src/contract/payloads.ts';
import type { RunPreview, RunRequest } from '../../src/service/next-run.ts';
import { inputOf } from '../../src/service/run-input.ts';
import { caller, startWorld, until, witness } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});

const nextRun = (id: string, more: Partial<RunRequest> = {}) =>
  world.service.nextRun(caller, id, { mode: 'resume', ...more });
const preview = async (id: string, more: Partial<RunRequest> = {}) =>
  (await nextRun(id, { dry_run: true, ...more })) as RunPreview;

const chain = (w: ReturnType<typeof witness>) => `
plan: 1
name: outside
tasks:
  a: { run: "${w.mark('a')}; head -c 100000 /dev/zero | tr '\\\\0' x" }
  b: { needs: [a], run: "${w.mark('b')}; until test -f ${w.path('go')}; do sleep 0.05; done; printf %s \${{ tasks.a.outputs.stdout }} | wc -c" }
`;
const isThrough = (id: string) => world.reaches(id, 'completed', 40_000);

describe('a plan that was terminated in Temporal', () => {
  test('is resumed: what had finished is kept, and its story has no gap', async () => {
    const w = witness();
    const id = await world.create(chain(w));
    await until('b has begun', () => w.n('b') === 1);
    await world.handle(id).terminate('by hand');
    await until('it reads as stopped', async () => (await world.read(id)).state.status === 'stopped');
    // What has just moved is not asked how it ended.
    await delay(1_100);
    const before = await world.service.events(caller, id, 0);
    expect(before.at(-1)).toMatchObject({ state: { status: 'stopped' }, error: { code: 'ENDED_OUTSIDE' } });
    expect(await preview(id)).toMatchObject({ reuse: ['a'], run: ['b'] });
    writeFileSync(w.path('go'), '');
    await nextRun(id);
    const view = await isThrough(id);
    expect([w.n('a'), w.n('b')]).toEqual([1, 2]);
    expect(view.tasks).toMatchObject([{ reused: true }, { outputs: { stdout: '100000' } }]);
    expect(view.run).toBe(2);
    const story = await world.service.events(caller, id, 0);
    expect(story.slice(0, before.length)).toEqual(before);
    expect(story.map(({ seq }) => seq)).toEqual(story.map((_, i) => i + 1));
    expect(story[before.length]).toMatchObject({ type: 'RunStarted' });
  });

  test('is retried from nothing', async () => {
    const w = witness();
    const id = await world.create(chain(w));
    await until('b has begun', () => w.n('b') === 1);
    await world.handle(id).terminate('by hand');
    await until('it reads as stopped', async () => (await world.read(id)).state.status === 'stopped');
    writeFileSync(w.path('go'), '');
    await nextRun(id, { mode: 'retry' });
    await isThrough(id);
    expect([w.n('a'), w.n('b')]).toEqual([2, 2]);
  });

  test('goes on inside its sub-plans and maps where they were', async () => {
    const w = witness();
    const gate = `until test -f ${w.path('go')}; do sleep 0.05; done`;
    const id = await world.create(`
plan: 1
name: inside
max_parallel: 10
tasks:
  sub:
    plan:
      tasks:
        x: { run: "${w.mark('x')}" }
        deep: { needs: [x], plan: { tasks: { p: { run: "${w.mark('p')}" }, q: { needs: [p], run: "${w.mark('q')}; ${gate}" } } } }
  each:
    map:
      in: [0, 1, 2, 3, 4, 5]
      as: n
      max_parallel: 2
      task: { run: "echo x >> ${w.dir}/i\${{ n }}; case \${{ n }} in 3) ${gate};; esac" }
  plans:
    map:
      in: [0, 1]
      as: n
      task: { plan: { inputs: { n: "\${{ n }}" }, tasks: { s: { run: "echo x >> ${w.dir}/s\${{ inputs.n }}" }, t: { needs: [s], run: "echo x >> ${w.dir}/t\${{ inputs.n }}; ${gate}" } } } }
`);
    await until('they are in the middle', () => ['q', 'i3', 'i5', 't0', 't1'].every((name) => w.n(name) === 1));
    await delay(500);
    await world.handle(id).terminate();
    await until('it reads as stopped', async () => (await world.read(id)).state.status === 'stopped');
    writeFileSync(w.path('go'), '');
    await nextRun(id);
    const view = await isThrough(id);
    const once = ['x', 'p', 'i0', 'i1', 'i2', 'i4', 'i5', 's0', 's1'];
    expect(Object.fromEntries(once.map((name) => [name, w.n(name)]))).toEqual(
      Object.fromEntries(once.map((name) => [name, 1])),
    );
    expect(['q', 'i3', 't0', 't1'].map(w.n)).toEqual([2, 2, 2, 2]);
    expect(view.tasks.find(({ id: task }) => task === 'each')!.outputs).toMatchObject({ total: 6, succeeded: 6 });
  });

  test('before it had begun, it does all of it', async () => {
    const w = witness();
    writeFileSync(w.path('go'), '');
    await world.stopWorker();
    const id = await world.create(chain(w));
    await world.handle(id).terminate();
    await world.startWorker();
    await until('it reads as stopped', async () => (await world.read(id)).state.status === 'stopped');
    expect(await preview(id)).toMatchObject({ reuse: [], run: ['a', 'b'] });
    await nextRun(id);
    await isThrough(id);
    expect([w.n('a'), w.n('b')]).toEqual([1, 1]);
  });

  test.each(['resume', 'retry'] as const)(
    'as its %s was about to begin, what was to be kept is kept in the next',
    async (mode) => {
      const w = witness();
      const id = await world.create(chain(w).replace('until', 'test -f go || exit 1; until'));
      await world.reaches(id, 'failed');
      await world.stopWorker();
      await nextRun(id, { mode });
      await world.handle(id).terminate();
      await world.startWorker();
      await until('it reads as stopped', async () => (await world.read(id)).state.status === 'stopped');
      expect((await preview(id)).reuse).toEqual(mode === 'resume' ? ['a'] : []);
    },
  );

  test('while no worker is up, that is told, and nothing is started', async () => {
    const w = witness();
    const id = await world.create(chain(w));
    await until('b has begun', () => w.n('b') === 1);
    await world.handle(id).terminate();
    await world.stopWorker();
    await expect(nextRun(id)).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
    await world.startWorker();
    expect((await preview(id)).reuse).toEqual(['a']);
  });
});

test('a plan that the Temporal server timed out is resumed', async () => {
  const w = witness();
  const model = await world.create(chain(w).replace('name: outside', 'name: model'));
  await until('b has begun', () => w.n('b') === 1);
  await world.command(model, 'stop');
  const { runId } = await world.handle(model).describe();
  const input: PlanInput = await inputOf(world.client, `plan/local/${model}`, runId);
  const id = crypto.randomUUID();
  await world.client.workflow.start('plan', {
    workflowId: `plan/local/${id}`,
    taskQueue: 'holdpoint',
    args: [{ ...input, plan_id: id, definition: unpack(input.definition) }],
    workflowRunTimeout: '3s',
  });
  await until('it reads as stopped', async () => (await world.read(id)).state.status === 'stopped');
  expect((await world.read(id)).error).toMatchObject({ message: 'timed out by the Temporal server' });
  expect(w.n('a')).toBe(2);
  writeFileSync(w.path('go'), '');
  await nextRun(id);
  await isThrough(id);
  expect(w.n('a')).toBe(2);
});

test('a plan that an operator has reset, and that failed after it, is resumed from its last run', async () => {
  const w = witness();
  const id = await world.create(
    `plan: 1\nname: reset\ntasks:\n  a: { run: "${w.mark('a')}" }\n  ok: { needs: [a], approve: Go on? }\n  b: { needs: [ok], run: "${w.mark('b')}; test -f ${w.path('go')}" }\n`,
  );
  await world.reaches(id, 'awaiting_input');
  const events = await world.history(id);
  const point = events.findLast((event) => event.workflowTaskCompletedEventAttributes)!;
  await world.client.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: `plan/local/${id}`, runId: (await world.handle(id).describe()).runId },
    reason: 'by hand',
    workflowTaskFinishEventId: point.eventId!,
    requestId: crypto.randomUUID(),
  });
  await world.reaches(id, 'awaiting_input');
  await world.command(id, 'answer', { question: 'ok.1', choice: 'approve' });
  await world.reaches(id, 'failed');
  writeFileSync(w.path('go'), '');
  await nextRun(id);
  await isThrough(id);
  expect([w.n('a'), w.n('b')]).toEqual([1, 2]);
});
