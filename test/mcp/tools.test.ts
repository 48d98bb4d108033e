import { writeFileSync } from 'node:fs';
import { Validator } from '@cfworker/json-schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi } from '../api/real.ts';
import { until, witness } from '../support/world.ts';
import { ERAS, rpcClient, type ToolAnswer, type Wire } from './rpc.ts';

let api: Awaited<ReturnType<typeof startApi>>;
let schemas: Map<string, object>;
beforeAll(async () => {
  api = await startApi();
  const { tools } = await rpcClient(api.url).rpc('tools/list');
  schemas = new Map(tools.map((tool: Wire) => [tool.name, tool.outputSchema]));
});
afterAll(() => api.stop());

/** Calls a tool, and holds what it answers against the schema that it is listed with: nothing may go untold. */
async function call(name: string, args: object, headers: Record<string, string> = {}): Promise<ToolAnswer> {
  const answer = await rpcClient(api.url, { headers }).tool(name, args);
  if (answer.isError) return answer;
  const { valid, errors } = new Validator(closed(schemas.get(name)!) as never, '2020-12', false).validate(answer.body);
  expect(valid ? [] : errors, `${name}: ${JSON.stringify(answer.body)}`).toEqual([]);
  return answer;
}

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const made = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, closed(item)]));
  const isObject = made.type === 'object' && made.properties && made.additionalProperties === undefined;
  return isObject ? { ...made, additionalProperties: false } : made;
}

const create = async (plan: string, more: object = {}): Promise<string> =>
  (await call('plan_create', { plan, ...more })).body.plan_id;
const reaches = (plan_id: string, state: string) =>
  until(`${plan_id} is ${state}`, async () => {
    const { body } = await call('plan_status', { plan_id });
    return body.state === state && body;
  });

const chain = (w: ReturnType<typeof witness>) => `
plan: 1
name: chain
tasks:
  a: { run: "${w.mark('a')}; echo one" }
  b: { needs: [a], run: "${w.mark('b')}; echo why it fails; test -f ${w.path('ok')}" }
  c: { needs: [b], run: "${w.mark('c')}" }
  d: { run: "${w.mark('d')}" }
`;
const GATE = 'plan: 1\nname: gate\ntasks:\n  ok: { approve: Go on? }\n  then: { needs: [ok], set: { x: 1 } }\n';
const SLEEPS = 'plan: 1\nname: sleeps\ntasks:\n  a: { run: sleep 300 }\n  b: { needs: [a], set: { x: 1 } }\n';

describe.each(ERAS)('%s', (era) => {
  test('tools are listed in one order, described for agents, with schemas and annotations', async () => {
    const { tools } = await rpcClient(api.url, { era }).rpc('tools/list');
    expect(tools.map(({ name }: Wire) => name)).toEqual([
      ...['plan_create', 'plan_status', 'plan_wait', 'plan_stop', 'plan_resume', 'plan_retry'],
      ...['plan_pause', 'plan_answer', 'plan_list', 'plan_logs', 'plan_validate'],
      ...['agents_run', 'agents_status', 'plasm', 'plasm_run', 'plasm_catalogs'],
    ]);
    for (const tool of tools) {
      expect(tool.description.length).toBeGreaterThan(100);
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.outputSchema).toMatchObject({ type: 'object', properties: expect.anything() });
      expect(Object.values(tool.annotations).every((hint) => typeof hint === 'boolean')).toBe(true);
    }
  });

  test('a plan is created, followed and done', async () => {
    const { tool } = rpcClient(api.url, { era });
    const { body } = await tool('plan_create', { plan: 'plan: 1\nname: one\ntasks:\n  a: { run: echo hello }\n' });
    const done = await tool('plan_wait', { plan_id: body.plan_id });
    expect(done.body).toMatchObject({
      state: 'completed',
      waited: 'ended',
      progress_percentage: 100,
      current_task: null,
    });
  });
});

test('of a failed plan an agent is told the task, why, and where to read more', async () => {
  const plan_id = await create(chain(witness()));
  const failed = await reaches(plan_id, 'failed');
  expect(failed).toMatchObject({
    name: 'chain',
    plan_state: { status: 'failed' },
    current_task: 'b',
    last_llm_call_at: null,
    steps_completed: 2,
    steps_total: 4,
    error: { failure_reason: 'generation_error', failed_step: 'b', recoverable: true, code: 'TASK_FAILED' },
    tasks: [{ id: 'b', status: 'failed', attempt: 1 }],
    live: true,
  });
  expect(failed.progress_percentage).toBe(50);
  expect(failed.timing.last_progress_at).toMatch(/^2\d{3}-/);
  const { links } = await call('plan_status', { plan_id });
  const read = await rpcClient(api.url).rpc('resources/read', { uri: links[0]!.uri });
  expect(read.contents).toEqual([{ uri: links[0]!.uri, mimeType: 'text/plain', text: 'why it fails\n' }]);
});

test('resume keeps finished work and lets no failure linger; retry does everything again', async () => {
  const w = witness();
  const plan_id = await create(chain(w));
  await reaches(plan_id, 'failed');
  expect((await call('plan_resume', { plan_id })).body).toMatchObject({
    plan_id,
    status: 'resume_queued',
    state: 'pending',
  });
  await until('it failed again', () => w.n('b') === 2);
  await reaches(plan_id, 'failed');
  writeFileSync(w.path('ok'), '');
  await call('plan_resume', { plan_id });
  const done = await reaches(plan_id, 'completed');
  expect([w.n('a'), w.n('b'), w.n('c'), w.n('d')]).toEqual([1, 3, 1, 1]);
  expect(done).not.toHaveProperty('error');
  expect(done.run).toBe(3);
  const again = await create(chain(witness()));
  await reaches(again, 'failed');
  expect((await call('plan_retry', { plan_id: again })).body).toMatchObject({
    status: 'retry_queued',
    state: 'pending',
  });
});

test('a plan at work, or completed, is not resumed; a paused one goes on, once', async () => {
  const plan_id = await create(SLEEPS);
  await until('a runs', async () => (await call('plan_status', { plan_id })).body.current_task === 'a');
  expect((await call('plan_resume', { plan_id })).body.error.code).toBe('PLAN_NOT_RESUMABLE');
  expect((await call('plan_retry', { plan_id })).body.error.code).toBe('PLAN_NOT_RESUMABLE');
  expect((await call('plan_pause', { plan_id })).body).toMatchObject({ status: 'pausing' });
  const other = { plan_id, plan: SLEEPS };
  expect((await call('plan_resume', other)).body.error).toMatchObject({
    code: 'PLAN_NOT_RESUMABLE',
    message: /is paused/,
  });
  expect((await call('plan_resume', { plan_id })).body).toMatchObject({ status: 'resumed', state: 'processing' });
  expect((await call('plan_resume', { plan_id })).body.error.code).toBe('PLAN_NOT_RESUMABLE');

  const gate = await create(GATE);
  await until('it asks', async () => (await call('plan_status', { plan_id: gate })).body.questions.length > 0);
  expect((await call('plan_pause', { plan_id: gate })).body.status).toBe('paused');
  expect((await call('plan_pause', { plan_id: gate })).body.error.code).toBe('PLAN_INVALID_STATE');
  expect((await call('plan_status', { plan_id: gate })).body).toMatchObject({
    state: 'processing',
    plan_state: { status: 'paused' },
  });
  const all = await Promise.all(Array.from({ length: 5 }, () => call('plan_resume', { plan_id: gate })));
  expect(all.filter(({ isError }) => !isError)).toHaveLength(1);
  expect(new Set(all.flatMap(({ isError, body }) => (isError ? [body.error.code] : [])))).toEqual(
    new Set(['PLAN_NOT_RESUMABLE']),
  );
  await call('plan_stop', { plan_id });
});

test('stop ends a plan where it is; of an ended plan it changes nothing', async () => {
  const plan_id = await create(SLEEPS);
  await until('a runs', async () => (await call('plan_status', { plan_id })).body.current_task === 'a');
  expect((await call('plan_stop', { plan_id })).body).toMatchObject({ stop_requested: true });
  const stopped = await reaches(plan_id, 'stopped');
  expect(stopped).toMatchObject({ current_task: 'a', plan_state: { status: 'stopped' } });
  expect((await call('plan_stop', { plan_id })).body).toMatchObject({ state: 'stopped', stop_requested: false });
});

test('a question is told with what may be answered, and answered; a wrong answer leaves it open', async () => {
  const plan_id = await create(GATE);
  const { body } = await call('plan_wait', { plan_id });
  expect(body).toMatchObject({
    waited: 'needs_attention',
    state: 'processing',
    plan_state: { status: 'awaiting_input' },
  });
  expect(body.current_task).toBe('ok');
  const [question] = body.questions;
  const wrong = await call('plan_answer', { plan_id, question: question.id, choice: 'maybe' });
  expect(wrong.body.error.code).toBe('ANSWER_INVALID');
  const given = { plan_id, question: question.id, choice: 'approve', comment: 'fine' };
  const right = await call('plan_answer', given);
  expect(right.body).toMatchObject({ status: 'answered', record: { choice: 'approve', comment: 'fine' } });
  expect((await call('plan_answer', given)).body.record).toEqual(right.body.record);
  expect((await call('plan_wait', { plan_id })).body.state).toBe('completed');
});

test('a plan in review is pending, and plan_answer without a question lets it out', async () => {
  const plan_id = await create(`${GATE}review: required\n`);
  expect((await call('plan_wait', { plan_id })).body).toMatchObject({ state: 'pending', waited: 'needs_attention' });
  expect((await call('plan_answer', { plan_id })).body.status).toBe('answered');
  await until('it asks', async () => (await call('plan_status', { plan_id })).body.questions.length > 0);
});

test('the same idempotency key is the same plan, and the same command', async () => {
  const idempotency_key = crypto.randomUUID();
  const first = await call('plan_create', { plan: GATE, idempotency_key });
  const again = await call('plan_create', { plan: GATE, idempotency_key });
  expect(first.body).not.toHaveProperty('deduplicated');
  expect(again.body).toMatchObject({ plan_id: first.body.plan_id, deduplicated: true });
  const other = await call('plan_create', { plan: SLEEPS, idempotency_key });
  expect(other.body.error.code).toBe('PLAN_EXISTS');
  const { plan_id } = first.body;
  await until('it asks', async () => (await call('plan_status', { plan_id })).body.questions.length > 0);
  const pause = { plan_id, idempotency_key: 'p1' };
  expect((await call('plan_pause', pause)).body).toEqual((await call('plan_pause', pause)).body);
});

test('plans are listed by the same words, page by page', async () => {
  const name = `listed-${Date.now()}`;
  for (let i = 0; i < 3; i++) await create(GATE.replace('gate', name));
  const first = await until('all are listed', async () => {
    const { body } = await call('plan_list', { name, state: 'processing', limit: 2 });
    return body.plans.length === 2 && body.next_cursor !== null && body;
  });
  expect(first.plans[0]).toMatchObject({ name, state: 'processing' });
  const { body } = await call('plan_list', { name, state: 'processing', limit: 2, cursor: first.next_cursor });
  expect(body.plans).toHaveLength(1);
  expect((await call('plan_list', { name, state: 'failed' })).body.plans).toEqual([]);
});

test('logs are read from their end, or on from where one was; no character is cut', async () => {
  const text = '€'.repeat(40_000);
  const run = `node -e "process.stdout.write('€'.repeat(40000))"`;
  const plan_id = await create(`plan: 1\nname: logs\ntasks:\n  a: { run: ${JSON.stringify(run)} }\n`);
  await reaches(plan_id, 'completed');
  const { body, links } = await call('plan_logs', { plan_id });
  expect(body.logs).toMatchObject([{ task: 'a', run: 1, attempt: 1, bytes: 120_000 }]);
  expect(links).toHaveLength(1);
  let read = '';
  for (let offset = 0; offset < 120_000; ) {
    const part = await call('plan_logs', { plan_id, task: 'a', offset });
    expect(part.body.offset).toBe(offset);
    expect(part.body.text).not.toContain('\uFFFD');
    read += part.body.text;
    offset = part.body.next_offset;
    expect(part.body.more).toBe(offset < 120_000);
  }
  expect(read).toBe(text);
  const tail = await call('plan_logs', { plan_id, task: 'a' });
  expect(tail.body).toMatchObject({ next_offset: 120_000, more: false });
  expect(text.endsWith(tail.body.text)).toBe(true);
  expect((await call('plan_logs', { plan_id, task: 'b' })).body.error.code).toBe('TASK_NOT_FOUND');
});

test('a plan file is checked, and nothing is made', async () => {
  const { body } = await call('plan_validate', { plan: { plan: 1, name: 'x', tasks: { a: { run: 'true' } } } });
  expect(body).toMatchObject({ valid: true, name: 'x', tasks: ['a'], layers: [['a']] });
});

test('who started a plan, and by which tool, is recorded', async () => {
  const plan_id = await create(chain(witness()));
  await reaches(plan_id, 'failed');
  const triggers = async () => {
    const [first] = await api.world.history(plan_id);
    const [payload] = first!.workflowExecutionStartedEventAttributes!.input!.payloads!;
    return JSON.parse(Buffer.from(payload!.data!).toString()).trigger;
  };
  expect(await triggers()).toBe('mcp plan_create');
  await call('plan_resume', { plan_id });
  expect(await triggers()).toBe('mcp plan_resume');
});

test('lists tell how far plans are, and what started them', async () => {
  const name = `far-${Date.now()}`;
  const done = await create(`plan: 1\nname: ${name}\ntasks:\n  a: { set: { x: 1 } }\n`);
  await reaches(done, 'completed');
  const half = await create(
    `plan: 1\nname: ${name}\ntasks:\n  a: { set: { x: 1 } }\n  ok: { needs: [a], approve: Go? }\n`,
  );
  await until('it asks', async () => (await call('plan_status', { plan_id: half })).body.questions.length > 0);
  const { plans } = await until('both are listed', async () => {
    const { body } = await call('plan_list', { name });
    return body.plans.length === 2 && body.plans.some((one: Wire) => one.state === 'completed') && body;
  });
  const told = Object.fromEntries(plans.map((one: Wire) => [one.plan_id, one]));
  expect(told[done]).toMatchObject({ progress_percentage: 100, trigger_source: 'mcp plan_create' });
  expect(told[half]).toMatchObject({ progress_percentage: 50, trigger_source: 'mcp plan_create' });
});

test('resumes are counted, and the events of the plan have their address until it has ended', async () => {
  const made = await call('plan_create', { plan: chain(witness()) });
  const { plan_id } = made.body;
  const sse_url = `${api.url}/api/plans/${plan_id}/events`;
  expect(made.body.sse_url).toBe(sse_url);
  expect(await reaches(plan_id, 'failed')).not.toHaveProperty('sse_url');
  const key = { plan_id, idempotency_key: 'r1' };
  // Twice at once with one key is one run.
  const both = await Promise.all([call('plan_resume', key), call('plan_resume', key)]);
  for (const { body } of both) expect(body).toMatchObject({ status: 'resume_queued', resume_count: 1, sse_url });
  await until('it failed again', async () => (await call('plan_status', { plan_id })).body.run === 2);
  await reaches(plan_id, 'failed');
  expect((await call('plan_resume', { plan_id })).body.resume_count).toBe(2);
  await until('it failed again', async () => (await call('plan_status', { plan_id })).body.run === 3);
  await reaches(plan_id, 'failed');
  expect((await call('plan_retry', { plan_id })).body.resume_count).toBe(2);
});

test('files that tasks have made are told, and linked to be read; so is the last log of a plan that is done', async () => {
  const plan = `plan: 1
name: files
tasks:
  first: { run: "echo one > one.txt; echo said", outputs: [one.txt] }
  last: { needs: [first], run: "mkdir d; echo two > d/two.txt; sleep 0.1", outputs: [d/two.txt] }
`;
  const plan_id = await create(plan);
  const done = await reaches(plan_id, 'completed');
  expect(done).toMatchObject({
    files_count: 2,
    files: [
      { path: 'd/two.txt', task: 'last', bytes: 4 },
      { path: 'one.txt', task: 'first', bytes: 4 },
    ],
  });
  const { links } = await call('plan_status', { plan_id });
  expect(links.map(({ name }) => name)).toEqual(['log of last', 'd/two.txt', 'one.txt']);
  expect(links.slice(1).map(({ uri }) => uri)).toEqual(done.files.map(({ uri }: Wire) => uri));
  const { contents } = await rpcClient(api.url).rpc('resources/read', { uri: links[1]!.uri });
  expect(Buffer.from(contents[0].blob, 'base64').toString()).toBe('two\n');
  const waited = await call('plan_wait', { plan_id });
  expect(waited.links).toEqual(links);
  const readAs = (headers: Record<string, string>) =>
    rpcClient(api.url, { headers }).rpc('resources/read', { uri: links[1]!.uri });
  await expect(readAs({ 'x-org': 'other' })).rejects.toMatchObject({ code: -32602 });
  await expect(readAs({ 'x-permissions': 'plan:create' })).rejects.toThrow('does not have the permission plan:read');
});

test('a pause lifted with a key is not lifted again, and starts no run, when the same call comes again', async () => {
  const plan_id = await create(
    'plan: 1\nname: lift\ntasks:\n  ok: { approve: Go? }\n  b: { needs: [ok], run: "false" }\n',
  );
  await until('it asks', async () => (await call('plan_status', { plan_id })).body.questions.length > 0);
  await call('plan_pause', { plan_id });
  const lift = { plan_id, idempotency_key: 'lift' };
  expect((await call('plan_resume', lift)).body.status).toBe('resumed');
  expect((await call('plan_resume', lift)).body.status).toBe('resumed');
  await call('plan_answer', { plan_id });
  await reaches(plan_id, 'failed');
  expect((await call('plan_resume', lift)).body.status).toBe('resumed');
  expect(await reaches(plan_id, 'failed')).toMatchObject({ run: 1 });
  expect((await call('plan_resume', { plan_id, idempotency_key: 'next' })).body.status).toBe('resume_queued');
});

test.each([
  'plan_status',
  'plan_wait',
  'plan_stop',
  'plan_resume',
  'plan_retry',
  'plan_pause',
  'plan_answer',
  'plan_logs',
])('%s of a plan that is not there, or is another organisation’s, is PLAN_NOT_FOUND', async (tool) => {
  const plan_id = await create(GATE);
  for (const [id, headers] of [
    [crypto.randomUUID(), {}],
    ['no uuid', {}],
    [plan_id, { 'x-org': 'other' }],
  ] as const) {
    const { isError, body } = await call(tool, { plan_id: id }, headers);
    expect({ isError, code: body.error?.code }).toEqual({ isError: true, code: 'PLAN_NOT_FOUND' });
  }
});

test('a resource of another organisation is not found', async () => {
  const plan_id = await create(chain(witness()));
  await reaches(plan_id, 'failed');
  const uri = `holdpoint://plans/${plan_id}/tasks/a/log`;
  expect((await rpcClient(api.url).rpc('resources/read', { uri })).contents[0].text).toBe('one\n');
  const stranger = rpcClient(api.url, { headers: { 'x-org': 'other' } });
  await expect(stranger.rpc('resources/read', { uri })).rejects.toMatchObject({ code: -32602 });
  for (const wrong of ['holdpoint://plans', `holdpoint://plans/${plan_id}/tasks/nobody/log`, 'file:///etc/passwd'])
    await expect(rpcClient(api.url).rpc('resources/read', { uri: wrong }), wrong).rejects.toMatchObject({
      code: -32602,
    });
});
