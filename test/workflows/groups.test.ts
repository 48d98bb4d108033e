import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { groupId, QUERIES, SLOT_ASKED, SLOT_GIVEN, SLOT_GIVEN_BACK } from '../../src/contract/names.ts';
import type { PlanView } from '../../src/plan/view.ts';
import { caller, startWorld, until, witness } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});

let groups = 0;
const newGroup = () => `g${process.pid}-${++groups}`;
const plan = (group: string, tasks: string, max = 1) =>
  `plan: 1\nname: p\nconcurrency: { group: ${group}, max: ${max} }\ntasks:\n${tasks}`;
const gate = (w: ReturnType<typeof witness>, id: string) =>
  `  ${id}: { run: "${w.mark(`began-${id}`)}; until test -f ${w.path(`go-${id}`)}; do sleep 0.05; done" }\n`;
const go = (w: ReturnType<typeof witness>, id: string) => writeFileSync(w.path(`go-${id}`), '');
const command = (id: string, name: 'pause' | 'resume' | 'stop') => world.command(id, name);
const slotOf = async (id: string) => (await world.read(id)).concurrency?.slot;
const isGone = (group: string) =>
  until('the group has nobody left', async () => {
    const found = await world.client.workflow.getHandle(groupId('local', group)).describe();
    return found.status.name === 'COMPLETED';
  });

test('as many as the group allows are at work; the others stand by in the order they came, and are told their place', async () => {
  const [w, group] = [witness(), newGroup()];
  const ids: string[] = [];
  for (const id of ['a', 'b', 'c']) {
    ids.push(await world.create(plan(group, gate(w, id))));
    await until('it has asked', async () => (await slotOf(ids.at(-1)!)) !== 'none');
  }
  const [a, b, c] = ids as [string, string, string];
  await until('a runs', () => w.n('began-a') === 1);
  const second = await world.reaches(b, 'stand_by');
  expect(second.concurrency).toEqual({ group, max: 1, slot: 'waiting', place: 1, running: [a] });
  expect((await world.read(c)).concurrency?.place).toBe(2);
  expect((await world.read(c)).waiting_for).toMatchObject([
    { what: 'group', text: `a slot of group ${group}, of which 1 may run at once, place 2 in line, behind plan ${a}` },
  ]);
  go(w, 'a');
  await until('b runs', () => w.n('began-b') === 1);
  expect(w.n('began-c')).toBe(0);
  go(w, 'b');
  go(w, 'c');
  for (const id of ids) await world.reaches(id, 'completed');
  await isGone(group);
});

test('a plan that waits for an answer keeps no other from running, and waits for its turn when it is answered (case 39)', async () => {
  const [w, group] = [witness(), newGroup()];
  const p = await world.create(
    plan(group, `  ok: { approve: Go on? }\n  quick: { needs: [ok], run: "${w.mark('quick')}" }\n`),
  );
  await world.reaches(p, 'awaiting_input');
  await until('its slot is free', async () => (await slotOf(p)) === 'none');
  const q = await world.create(plan(group, gate(w, 'q')));
  await until('q runs', () => w.n('began-q') === 1);
  await world.command(p, 'answer', { question: 'ok', choice: 'approve' });
  await world.reaches(p, 'stand_by');
  await delay(300);
  expect(w.n('quick')).toBe(0);
  go(w, 'q');
  await world.reaches(p, 'completed');
  await world.reaches(q, 'completed');
  await isGone(group);
});

test('a pause gives the slot back once what runs has ended; a resume waits for one again', async () => {
  const [w, group] = [witness(), newGroup()];
  const p = await world.create(plan(group, `${gate(w, 'a')}  b: { needs: [a], run: "${w.mark('b')}" }\n`));
  await until('a runs', () => w.n('began-a') === 1);
  const q = await world.create(plan(group, gate(w, 'q')));
  await world.reaches(q, 'stand_by');
  await command(p, 'pause');
  expect(await slotOf(p)).toBe('held');
  go(w, 'a');
  await until('q runs', () => w.n('began-q') === 1);
  expect((await world.read(p)).state.status).toBe('paused');
  await command(p, 'resume');
  expect((await world.reaches(p, 'stand_by')).concurrency).toMatchObject({ slot: 'waiting', place: 1, running: [q] });
  expect(w.n('b')).toBe(0);
  go(w, 'q');
  await world.reaches(p, 'completed');
  await isGone(group);
});

test('what is in line can be paused and stopped, and leaves it then', async () => {
  const [w, group] = [witness(), newGroup()];
  const a = await world.create(plan(group, gate(w, 'a')));
  await until('a runs', () => w.n('began-a') === 1);
  const b = await world.create(plan(group, gate(w, 'b')));
  await world.reaches(b, 'stand_by');
  const c = await world.create(plan(group, gate(w, 'c')));
  await world.reaches(c, 'stand_by');
  const d = await world.create(plan(group, gate(w, 'd')));
  await world.reaches(d, 'stand_by');
  expect((await command(b, 'pause')).result).toBe('done');
  expect((await world.read(b)).state.status).toBe('paused');
  expect((await command(c, 'stop')).result).toBe('done');
  await world.reaches(c, 'stopped');
  await until('d is next', async () => (await world.read(d)).concurrency?.place === 1);
  go(w, 'a');
  await until('d runs', () => w.n('began-d') === 1);
  await command(b, 'resume');
  go(w, 'd');
  await until('b runs', () => w.n('began-b') === 1);
  go(w, 'b');
  for (const id of [a, b, d]) await world.reaches(id, 'completed');
  expect(w.n('began-c')).toBe(0);
  await isGone(group);
});

test('a slot whose plan was ended from outside comes back; whoever was in line and was ended is passed over', async () => {
  const [w, group] = [witness(), newGroup()];
  const ids: string[] = [];
  for (const id of ['a', 'b', 'c']) {
    ids.push(await world.create(plan(group, gate(w, id))));
    await until('it has asked', async () => (await slotOf(ids.at(-1)!)) !== 'none');
  }
  const [a, b, c] = ids as [string, string, string];
  await until('a runs', () => w.n('began-a') === 1);
  await world.handle(b).terminate('by a test');
  await world.handle(a).terminate('by a test');
  await until('c runs', () => w.n('began-c') === 1, 30_000);
  go(w, 'c');
  await world.reaches(c, 'completed');
  expect(w.n('began-b')).toBe(0);
  await isGone(group);
});

test('a plan that was reset runs again, and no slot is lost by it', async () => {
  const [w, group] = [witness(), newGroup()];
  const a = await world.create(plan(group, gate(w, 'a')));
  await until('a runs', () => w.n('began-a') === 1);
  const first = (await world.history(a)).find((event) => event.workflowTaskCompletedEventAttributes)!;
  const { runId } = await world.handle(a).describe();
  await world.client.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: world.handle(a).workflowId, runId },
    reason: 'a test',
    workflowTaskFinishEventId: first.eventId!,
    requestId: 'reset-in-a-test',
    resetReapplyType: 2,
  });
  const b = await world.create(plan(group, gate(w, 'b')));
  await until('a runs again', () => w.n('began-a') === 2, 30_000);
  expect(w.n('began-b')).toBe(0);
  for (const id of ['a', 'b']) go(w, id);
  await world.reaches(a, 'completed');
  await world.reaches(b, 'completed');
  await isGone(group);
});

test('signals sent by hand, and slots that nobody asked for, change nothing', async () => {
  const [w, group] = [witness(), newGroup()];
  const a = await world.create(plan(group, gate(w, 'a')));
  await until('a runs', () => w.n('began-a') === 1);
  const alone = await world.create(`plan: 1\nname: alone\ntasks:\n${gate(w, 'alone')}`);
  const line = world.client.workflow.getHandle(groupId('local', group));
  for (const handle of [world.handle(a), world.handle(alone)]) {
    await handle.signal(SLOT_GIVEN, { schema_version: 1, plan_id: a, ticket: -1 });
    await handle.signal(SLOT_GIVEN);
  }
  for (const name of [SLOT_ASKED, SLOT_GIVEN_BACK]) {
    await line.signal(name);
    await line.signal(name, { plan_id: a });
  }
  expect(await slotOf(a)).toBe('held');
  for (const id of ['a', 'alone']) go(w, id);
  await world.reaches(a, 'completed');
  await world.reaches(alone, 'completed');
  await isGone(group);
});

test('a group that was ended from outside begins anew, for those who ask again', async () => {
  const [w, group] = [witness(), newGroup()];
  const p = await world.create(plan(group, `  ok: { approve: Go on? }\n  b: { needs: [ok], run: "${w.mark('b')}" }\n`));
  await world.reaches(p, 'awaiting_input');
  const q = await world.create(plan(group, gate(w, 'q')));
  await until('q runs', () => w.n('began-q') === 1);
  await world.client.workflow.getHandle(groupId('local', group)).terminate('by a test');
  await world.command(p, 'answer', { question: 'ok', choice: 'approve' });
  await world.reaches(p, 'completed');
  go(w, 'q');
  await world.reaches(q, 'completed');
});

test('a group with a long history goes on in a new one, with all who have a slot or wait', async () => {
  const [w, group] = [witness(), newGroup()];
  const a = await world.create(plan(group, gate(w, 'a')));
  await until('a runs', () => w.n('began-a') === 1);
  const b = await world.create(plan(group, gate(w, 'b')));
  await world.reaches(b, 'stand_by');
  const line = world.client.workflow.getHandle(groupId('local', group));
  const { runId } = await line.describe();
  for (let i = 0; i < 26; i++)
    await Promise.all(Array.from({ length: 100 }, () => line.signal(SLOT_GIVEN_BACK, { plan_id: 'x', ticket: 1 })));
  await until('it goes on in a new history', async () => (await line.describe()).runId !== runId);
  expect((await world.read(b)).concurrency).toMatchObject({ place: 1, running: [a] });
  go(w, 'a');
  await until('b runs', () => w.n('began-b') === 1);
  go(w, 'b');
  await world.reaches(b, 'completed');
  await isGone(group);
});

test('a paused map gives the slot back, and its items go on only with a slot', async () => {
  const [w, group] = [witness(), newGroup()];
  const item = `until test -f ${w.path('go-items')}; do sleep 0.05; done; ${w.mark('items')}`;
  const p = await world.create(
    plan(group, `  m: { map: { in: [1, 2, 3], max_parallel: 1, task: { run: "${item}" } } }\n`),
  );
  await world.reaches(p, 'executing');
  await until('an item runs', async () => (await world.read(p)).current_tasks.some((name) => name.startsWith('m[')));
  const q = await world.create(plan(group, gate(w, 'q')));
  await world.reaches(q, 'stand_by');
  await command(p, 'pause');
  go(w, 'items');
  await until('q runs', () => w.n('began-q') === 1);
  const before = w.n('items');
  await command(p, 'resume');
  await world.reaches(p, 'stand_by');
  await delay(500);
  expect(w.n('items')).toBe(before);
  go(w, 'q');
  await world.reaches(p, 'completed');
  expect(w.n('items')).toBe(3);
  await isGone(group);
});

test('what has just ended can be resumed at once, and its next run waits for a slot, too', async () => {
  const [w, group] = [witness(), newGroup()];
  for (let i = 0; i < 5; i++) {
    const p = await world.create(
      plan(group, `  a: { run: "${w.mark(`n-${i}`)}; test $(wc -l < ${w.path(`n-${i}`)}) -ge 2" }\n`),
    );
    for (let status = ''; status !== 'failed'; )
      status = (await world.handle(p).query<PlanView | null>(QUERIES.status))?.state.status ?? '';
    await world.service.nextRun(caller, p, { mode: 'resume' });
    await world.reaches(p, 'completed');
  }
  await isGone(group);
});

test('the handlers of a plan that failed wait for a slot, too', async () => {
  const [w, group] = [witness(), newGroup()];
  const p = await world.create(
    `${plan(group, '  ok: { approve: Go on? }\n')}finally: { run: "${w.mark('finally')}" }\n`,
  );
  await world.reaches(p, 'awaiting_input');
  await world.create(plan(group, gate(w, 'q')));
  await until('q runs', () => w.n('began-q') === 1);
  await world.command(p, 'answer', { question: 'ok', choice: 'reject' });
  await world.reaches(p, 'stand_by');
  expect(w.n('finally')).toBe(0);
  go(w, 'q');
  await until('it has failed', async () => (await world.read(p)).state.status === 'failed');
  expect(w.n('finally')).toBe(1);
  await isGone(group);
});

test('tasks that wait for an answer or for time take no worker: a thousand of them leave room for others', async () => {
  const waits = Array.from({ length: 500 }, (_, i) => `  q${i}: { approve: Go on? }\n  w${i}: { wait: 1h }\n`).join('');
  const id = await world.create(`plan: 1\nname: waits\nmax_parallel: 1\ntasks:\n${waits}  last: { run: "true" }\n`);
  await until('the one task ran', async () => (await world.task(id, 'last')).status === 'succeeded', 40_000);
  expect((await world.handle(id).describe()).raw.pendingActivities ?? []).toEqual([]);
  await command(id, 'stop');
});
