import { afterAll, beforeAll, expect, test } from 'vitest';
import { settledWaits } from '../../src/mcp/settled-waits.ts';
import { startApi } from '../api/real.ts';
import { until } from '../support/world.ts';
import { answerOf, ERAS, rpcClient } from './rpc.ts';

let api: Awaited<ReturnType<typeof startApi>>;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const EXTENSION = 'io.modelcontextprotocol/tasks';
const TASKS = { extensions: { [EXTENSION]: {} } };
const SLEEPS = 'plan: 1\nname: sleeps\ntasks:\n  a: { run: sleep 300 }\n';
const FAILS = 'plan: 1\nname: fails\ntasks:\n  first: { wait: 1s }\n  a: { needs: [first], run: "false" }\n';
const ASKS =
  'plan: 1\nname: asks\ntasks:\n  first: { wait: 1s }\n  ok: { needs: [first], approve: { prompt: Ship it?, options: [ship, keep] } }\n';
const FORM = `plan: 1
name: form
tasks:
  first: { wait: 1s }
  who: { needs: [first], input: { prompt: How many?, form: { n: { type: integer, minimum: 1 } } } }
`;

interface Who {
  elicitation?: object;
  headers?: Record<string, string>;
}
function client({ elicitation, headers = {} }: Who = {}) {
  const capabilities = { ...TASKS, ...(elicitation && { elicitation }) };
  const { rpc, tool } = rpcClient(api.url, { era: '2026-07-28', capabilities, headers });
  const get = (taskId: string) => rpc('tasks/get', { taskId });
  return {
    rpc,
    tool,
    get,
    wait: (plan_id: string, more: object = {}) =>
      rpc('tools/call', { name: 'plan_wait', arguments: { plan_id, ...more } }),
    update: (taskId: string, inputResponses: object) => rpc('tasks/update', { taskId, inputResponses }),
    cancel: (taskId: string) => rpc('tasks/cancel', { taskId }),
    reaches: (taskId: string, status: string) =>
      until(`the task is ${status}`, async () => {
        const task = await get(taskId);
        return task.status === status && task;
      }),
  };
}
const stop = (plan_id: string) => rpcClient(api.url).tool('plan_stop', { plan_id });

test('a wait goes on as a task, which ends with what plan_wait answers', async () => {
  const { wait, get, reaches } = client();
  const plan_id = await api.world.create(SLEEPS);
  const made = await wait(plan_id);
  expect(made).toMatchObject({
    resultType: 'task',
    taskId: expect.stringContaining(plan_id),
    status: 'working',
    statusMessage: expect.stringMatching(/^Step 0 of 1 \(0%\)/),
    ttlMs: null,
    pollIntervalMs: expect.any(Number),
  });
  expect(Date.parse(made.lastUpdatedAt)).toBeGreaterThanOrEqual(Date.parse(made.createdAt));
  for (const one of ['result', 'error', 'inputRequests', 'task']) expect(made).not.toHaveProperty(one);
  expect(await get(made.taskId)).toMatchObject({ resultType: 'complete', taskId: made.taskId, status: 'working' });
  await stop(plan_id);
  const { result, createdAt } = await reaches(made.taskId, 'completed');
  expect(createdAt).toBe(made.createdAt);
  expect(answerOf(result).body).toMatchObject({ plan_id, state: 'stopped', waited: 'ended' });
});

test('the extension is told of', async () => {
  const { capabilities } = await client().rpc('server/discover');
  expect(capabilities.extensions).toEqual({ [EXTENSION]: {} });
  expect(capabilities).not.toHaveProperty('tasks');
});

test('without the extension a wait is answered plainly, and there are no tasks', async () => {
  const plan_id = await api.world.create(SLEEPS);
  const { taskId } = await client().wait(plan_id);
  for (const era of ERAS) {
    const { tool, rpc } = rpcClient(api.url, { era });
    expect((await tool('plan_wait', { plan_id, timeout_seconds: 0.1 })).body.waited).toBe('timeout');
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const refused = expect(rpc(method, { taskId, inputResponses: {} }), `${era} ${method}`).rejects;
      if (era === '2026-07-28')
        await refused.toMatchObject({ code: -32021, message: expect.stringContaining(EXTENSION) });
      else await refused.toMatchObject({ code: -32601 });
    }
  }
  expect((await client().get(taskId)).status).toBe('working');
  await stop(plan_id);
});

test('what can be told at once is answered plainly', async () => {
  const { wait, tool } = client();
  const plan_id = await api.world.create(SLEEPS);
  expect(answerOf(await wait(plan_id, { timeout_seconds: 0 })).body.waited).toBe('timeout');
  await stop(plan_id);
  await tool('plan_wait', { plan_id }).catch(() => {});
  await until('it is stopped', async () => (await tool('plan_status', { plan_id })).body.state === 'stopped');
  expect(answerOf(await wait(plan_id)).body).toMatchObject({ state: 'stopped', waited: 'ended' });
});

test('a wait ends at its time-out, and stays ended when the plan ends', async () => {
  const { wait, get, reaches } = client();
  const plan_id = await api.world.create(SLEEPS);
  const { taskId } = await wait(plan_id, { timeout_seconds: 0.3 });
  expect(answerOf((await reaches(taskId, 'completed')).result).body.waited).toBe('timeout');
  await stop(plan_id);
  expect((await get(taskId)).status).toBe('completed');
});

test('a cancelled wait ends only the waiting; what has ended stays as it was', async () => {
  const { wait, get, cancel, tool, reaches } = client();
  const plan_id = await api.world.create(SLEEPS);
  const { taskId } = await wait(plan_id);
  expect(await cancel(taskId)).toMatchObject({ resultType: 'complete' });
  expect(await cancel(taskId)).not.toHaveProperty('taskId');
  expect(await get(taskId)).toMatchObject({ status: 'cancelled' });
  expect((await tool('plan_status', { plan_id })).body.state).toBe('processing');
  const other = await wait(plan_id);
  await stop(plan_id);
  await reaches(other.taskId, 'completed');
  await cancel(other.taskId);
  expect((await get(other.taskId)).status).toBe('completed');
  expect((await get(taskId)).status).toBe('cancelled');
});

test('a wait for a run stays ended when the next run has begun', async () => {
  const { wait, get, tool, reaches } = client();
  const plan_id = await api.world.create(FAILS);
  const { taskId } = await wait(plan_id);
  expect(answerOf((await reaches(taskId, 'completed')).result).body).toMatchObject({
    state: 'failed',
    waited: 'ended',
  });
  await tool('plan_retry', { plan_id });
  await until('the next run is there', async () => (await tool('plan_status', { plan_id })).body.run === 2);
  const { status, result } = await get(taskId);
  expect([status, answerOf(result).body.waited]).toEqual(['completed', 'next_run']);
});

test('without forms a question ends the wait, which stays so when the question is answered', async () => {
  const { wait, get, tool, reaches } = client();
  const plan_id = await api.world.create(`${ASKS}  last: { needs: [ok], run: sleep 300 }\n`);
  const { taskId } = await wait(plan_id);
  expect(answerOf((await reaches(taskId, 'completed')).result).body).toMatchObject({
    waited: 'needs_attention',
    questions: [{ task: 'ok' }],
  });
  await tool('plan_answer', { plan_id, question: 'ok', choice: 'ship' });
  expect((await get(taskId)).status).toBe('completed');
  await stop(plan_id);
});

test('a client that shows forms is given the question, and its answer is the plan’s', async () => {
  const { wait, get, update, reaches } = client({ elicitation: {} });
  const plan_id = await api.world.create(`${ASKS}  last: { needs: [ok], run: sleep 300 }\n`);
  const { taskId } = await wait(plan_id);
  const { inputRequests } = await reaches(taskId, 'input_required');
  expect(inputRequests).toEqual({
    'ok.1': {
      method: 'elicitation/create',
      params: expect.objectContaining({
        mode: 'form',
        message: 'Ship it?',
        requestedSchema: expect.objectContaining({ type: 'object', required: ['choice'] }),
      }),
    },
  });
  expect(inputRequests['ok.1'].params.requestedSchema.properties.choice.enum).toEqual(['ship', 'keep']);
  for (const [response, message] of [
    [{ action: 'accept', content: { choice: 'burn' } }, /burn/],
    [{ action: 'accept', content: {} }, /choice/],
    [{ action: 'accept', content: { choice: 7 } }, /choice: is the number 7/],
    [{ action: 'accept', content: { choice: 'ship', comment: 'x'.repeat(10_001) } }, /comment: is longer than 10000/],
    [{ action: 'accept', content: { choice: { a: 1 } } }, /elicitation\/create/],
    [{ action: 'perhaps' }, /elicitation\/create/],
    [7, /elicitation\/create/],
  ] as const)
    await expect(update(taskId, { 'ok.1': response })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(message),
    });
  await update(taskId, { unknown: { action: 'accept' }, __proto__: {}, 'ok.2': 1 });
  expect((await get(taskId)).status).toBe('input_required');
  const given = { 'ok.1': { action: 'accept', content: { choice: 'ship', comment: 'fine' } } };
  expect(await update(taskId, given)).toMatchObject({ resultType: 'complete' });
  await reaches(taskId, 'working');
  await update(taskId, given);
  const { tasks } = await api.world.read(plan_id);
  expect(tasks.find(({ id }) => id === 'ok')!.answer).toMatchObject({ choice: 'ship', comment: 'fine' });
  await stop(plan_id);
  await reaches(taskId, 'completed');
});

test('a form is asked as it is, and its values are the answer', async () => {
  const { wait, update, reaches } = client({ elicitation: { form: {} } });
  const plan_id = await api.world.create(FORM);
  const { taskId } = await wait(plan_id);
  const { inputRequests } = await reaches(taskId, 'input_required');
  expect(inputRequests['who.1'].params.requestedSchema.properties).toEqual({ n: { type: 'integer', minimum: 1 } });
  await expect(update(taskId, { 'who.1': { action: 'accept', content: { n: 0 } } })).rejects.toMatchObject({
    code: -32602,
  });
  await update(taskId, { 'who.1': { action: 'accept', content: { n: 2 } } });
  expect(answerOf((await reaches(taskId, 'completed')).result).body).toMatchObject({
    waited: 'ended',
    state: 'completed',
  });
});

test.each([
  ['a user who does not want to answer', { elicitation: {} }, 'decline'],
  ['a client that only opens addresses', { elicitation: { url: {} } }, undefined],
  ['a caller who may not answer', { elicitation: {}, headers: { 'x-permissions': 'plan:read' } }, undefined],
] as const)('%s is told that somebody has to', async (_, who, action) => {
  const { wait, update, reaches } = client(who);
  const plan_id = await api.world.create(ASKS);
  const { taskId } = await wait(plan_id);
  if (action) {
    await reaches(taskId, 'input_required');
    await update(taskId, { 'ok.1': { action } });
  }
  const { result } = await reaches(taskId, 'completed');
  expect(answerOf(result).body).toMatchObject({ waited: 'needs_attention', questions: [{ id: 'ok.1' }] });
  await stop(plan_id);
});

test('who waits for the end is asked nothing', async () => {
  const { wait, get, tool, reaches } = client({ elicitation: {} });
  const plan_id = await api.world.create(ASKS);
  const { taskId } = await wait(plan_id, { until: 'ended' });
  await until('it asks', async () => (await tool('plan_status', { plan_id })).body.questions.length > 0);
  expect(await get(taskId)).toMatchObject({ status: 'working', statusMessage: expect.stringContaining('ok') });
  await tool('plan_answer', { plan_id, question: 'ok', choice: 'keep' });
  await reaches(taskId, 'completed');
});

test('a task of another organisation, and what is none, is not there', async () => {
  const plan_id = await api.world.create(SLEEPS);
  const { taskId } = await client().wait(plan_id);
  const other = { headers: { 'x-org': 'other' } };
  const cases: [Who, string][] = [
    [other, taskId],
    [{}, taskId.replace(plan_id, crypto.randomUUID())],
    ...['x', plan_id, `${taskId}x`, taskId.replace('attention', '__proto__'), '../x', 'x'.repeat(1_000)].map(
      (id): [Who, string] => [{}, id],
    ),
  ];
  for (const [who, id] of cases)
    for (const method of ['get', 'cancel', 'update'] as const)
      await expect(client(who)[method](id, {}), `${method} ${id.slice(0, 60)}`).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('no task'),
      });
  await expect(client({ headers: { 'x-permissions': 'plan:create' } }).get(taskId)).rejects.toThrow('plan:read');
  for (const method of ['tasks/list', 'tasks/result'])
    await expect(client().rpc(method, { taskId })).rejects.toMatchObject({ code: -32601 });
  expect((await client().get(taskId)).status).toBe('working');
  await stop(plan_id);
});

test('so many are remembered, the newest', () => {
  const waits = settledWaits(2);
  for (const id of ['a', 'b', 'c']) waits.settle(id, 'cancelled');
  waits.settle('c', 'needs_attention');
  expect(['a', 'b', 'c'].map(waits.get)).toEqual([undefined, 'cancelled', 'cancelled']);
});
