import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENGINE_QUEUE, PLAN_WORKFLOW, workflowId } from '../../src/contract/names.ts';
import type { PlanInput } from '../../src/contract/payloads.ts';
import { SEARCH_ATTRIBUTES } from '../../src/contract/search-attributes.ts';
import { caller, startWorld, until } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => await world.stop());

const GATE = 'plan: 1\nname: NAME\ntasks:\n  a: { set: { x: 1 } }\n  ok: { needs: a, approve: "Go on?" }\n';

async function waiting(name = `gate-${randomUUID()}`) {
  const id = await world.create(GATE.replace('NAME', name));
  await world.reaches(id, 'awaiting_input');
  return { id, name };
}
const listed = async (name: string) =>
  (await world.service.list(caller, { name })).plans.map(({ state }) => state.status);

test('without a worker: the last known state with its age, and that no worker is polling; the list has it, too (case 10)', async () => {
  const { id, name } = await waiting();
  await until('the list has it', async () => (await listed(name))[0] === 'awaiting_input');
  const { updated_at } = await world.read(id);
  await world.stopWorker();
  try {
    const { state, freshness, workflow_id } = await world.read(id);
    expect(workflow_id).toBe(workflowId('local', id));
    expect(state).toEqual({ status: 'awaiting_input' });
    expect(freshness).toMatchObject({ live: false, message: 'no worker is polling; last known state' });
    expect(Date.parse(freshness.as_of!)).toBeGreaterThanOrEqual(Date.parse(updated_at));
    expect(freshness.age_ms).toBe(Date.parse(freshness.at) - Date.parse(freshness.as_of!));
    expect(await listed(name)).toEqual(['awaiting_input']);
    // That a task is not known is no reason to say that there is none.
    await expect(world.service.output(caller, id, 'a', 'x')).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
    await expect(world.service.logs(caller, id, { task: 'a' })).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
  } finally {
    await world.startWorker();
  }
  await until('it is live again', async () => (await world.read(id)).freshness.live);
});

test('the Workflow Ids of a plan and of its children are there in Temporal', async () => {
  const id = await world.create('plan: 1\nname: p\ntasks:\n  in: { plan: { tasks: { ok: { approve: "Go on?" } } } }\n');
  const { workflow_id, children } = await world.reaches(id, 'awaiting_input');
  expect(children).toMatchObject([{ kind: 'plan', task: 'in' }]);
  for (const workflow of [workflow_id, `${workflow_id}/${children[0]!.key}`])
    expect((await world.client.workflow.getHandle(workflow).describe()).status.name, workflow).toBe('RUNNING');
});

test('timed out by the server: stopped, in the view, the list and the timeline', async () => {
  const { id: other } = await waiting();
  const name = `timed-${randomUUID()}`;
  const plan_id = randomUUID();
  const [started] = await world.history(other);
  const data = started!.workflowExecutionStartedEventAttributes!.input!.payloads![0]!.data!;
  const input = { ...(JSON.parse(Buffer.from(data).toString()) as PlanInput), plan_id };
  await world.client.workflow.start(PLAN_WORKFLOW, {
    workflowId: workflowId('local', plan_id),
    taskQueue: ENGINE_QUEUE,
    args: [input],
    workflowRunTimeout: '3s',
    searchAttributes: { [SEARCH_ATTRIBUTES.org.name]: ['local'], [SEARCH_ATTRIBUTES.plan.name]: [name] },
  });
  await world.reaches(plan_id, 'awaiting_input');
  const view = await until('it has timed out', async () => {
    const found = await world.read(plan_id);
    return found.state.status === 'stopped' && found;
  });
  expect(view.workflow_id).toBe(workflowId('local', plan_id));
  expect(view.error).toEqual({ code: 'ENDED_OUTSIDE', message: 'timed out by the Temporal server' });
  expect(view.tasks.map(({ status }) => status)).toEqual(['succeeded', 'cancelled']);
  await until('the list has it', async () => (await listed(name))[0] === 'stopped');
  const { entries } = await world.service.timeline(caller, plan_id, { after: 0 });
  expect(entries.at(-2)).toMatchObject({ type: 'PlanStopped', by: 'the Temporal server' });
});

test('reset in Temporal: the plan as it is now, and an entry of the timeline that says so', async () => {
  const { id } = await waiting();
  for (const name of ['pause', 'resume'] as const) await world.service.command(caller, id, name);
  const ended = (await world.history(id)).find((event) => event.workflowTaskCompletedEventAttributes)!;
  await world.client.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: workflowId('local', id) },
    reason: 'once more',
    workflowTaskFinishEventId: ended.eventId!,
    requestId: randomUUID(),
  });
  const view = await world.reaches(id, 'awaiting_input');
  expect(view.freshness.live).toBe(true);
  const { entries } = await world.service.timeline(caller, id, { after: 0 });
  expect(entries).toContainEqual(
    expect.objectContaining({ type: 'PlanReset', by: 'operator (Temporal)', message: 'reset: once more' }),
  );
  const seqs = entries.flatMap((entry) => ('seq' in entry ? entry.seq : []));
  expect(seqs).toEqual(seqs.map((_, i) => i + 1));
  expect((await world.service.command(caller, id, 'stop')).result).toBe('done');
});

test('page by page the timeline is the same', async () => {
  const { id } = await waiting();
  await world.service.command(caller, id, 'stop');
  const whole = await world.service.timeline(caller, id, { after: 0 });
  expect(whole.next_after).toBeNull();
  const pages: unknown[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page = await world.service.timeline(caller, id, { after, limit: 3 });
    expect(page.entries.length).toBeLessThanOrEqual(3);
    pages.push(...page.entries);
    after = page.next_after;
  }
  expect(pages).toEqual(whole.entries);
});

test('what retention has removed is one gap, and a follower begins with a snapshot', async () => {
  const { id } = await waiting();
  await world.service.command(caller, id, 'stop');
  const first = await world.service.timeline(caller, id, { after: 0 });
  const { runId } = await world.handle(id).describe();
  await world.service.nextRun(caller, id, { mode: 'resume' });
  await world.reaches(id, 'awaiting_input');
  const last = (first.entries.at(-1) as { seq: number }).seq;
  await world.client.workflowService.deleteWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: workflowId('local', id), runId },
  });
  // Temporal deletes when it finds the time.
  const isGone = async () => {
    const found = (await world.service.timeline(caller, id, { after: 0 })).entries;
    return found[0]?.type === 'gap' && found;
  };
  const entries = await until('the first run is gone', isGone, 100_000);
  expect(entries[0]).toEqual({ type: 'gap', from_seq: 1, seq: last, message: 'removed by retention' });
  expect(entries[1]).toMatchObject({ type: 'RunStarted', seq: last + 1 });
  for (const [after, what] of [
    [undefined, 'snapshot'],
    [2, 'resync'],
    [last, 'event'],
  ] as const) {
    const { pushed } = await world.service.follow(caller, id, after);
    const ended = new AbortController();
    for await (const one of pushed(ended.signal)) {
      expect(one.what).toBe(what);
      ended.abort();
    }
  }
  await world.service.command(caller, id, 'stop');
}, 120_000);
