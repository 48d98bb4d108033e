import { expect, test } from 'vitest';
import { FAULTS, Fault, type FaultCode } from '../../src/faults.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import { ID, serve } from '../api/serve.ts';
import { ERAS, rpcClient } from './rpc.ts';

async function connected(told: Parameters<typeof serve>[0] = {}, era = ERAS[1] as (typeof ERAS)[number]) {
  const served = await serve(told);
  return { ...served, ...rpcClient(`http://127.0.0.1:${served.port}`, { era }) };
}

/** Of each tool: arguments, and what the message has to say of them. */
const WRONG: Record<string, [unknown, RegExp][]> = {
  plan_create: [
    [{}, /plan: is empty; it has to be text or a map/],
    [{ plan: 7 }, /plan: is the number 7; it has to be/],
    [{ plan: 'x', input: {} }, /unknown word "input"; did you mean "inputs"\?/],
    [{ plan: 'x', inputs: [] }, /inputs: is a list/],
    [{ plan: 'x', idempotency_key: 'a b' }, /idempotency_key: give 1 to 200 printable ASCII/],
    [{ plan: 'x', idempotency_key: '' }, /idempotency_key: /],
  ],
  plan_status: [
    [{}, /`plan_id` is missing/],
    [{ plan_id: 1 }, /plan_id: is the number 1/],
    [{ id: ID }, /unknown word "id"/],
  ],
  plan_wait: [
    [{}, /`plan_id` is missing/],
    [{ plan_id: ID, timeout_seconds: '9' }, /timeout_seconds: is the text "9"/],
    [{ plan_id: ID, timeout_seconds: -1 }, /timeout_seconds: .*0 or more/],
    [{ plan_id: ID, timeout_seconds: 1_201 }, /timeout_seconds: .*1200 or less/],
    [{ plan_id: ID, until: 'later' }, /until: .*one of attention, ended/],
  ],
  plan_stop: [
    [{}, /`plan_id` is missing/],
    [{ plan_id: ID, comment: 'x'.repeat(10_001) }, /comment: is longer than 10000/],
  ],
  plan_resume: [
    [{}, /`plan_id` is missing/],
    [{ plan_id: ID, dry_run: 'yes' }, /dry_run: is the text "yes"/],
    [{ plan_id: ID, dryrun: true }, /unknown word "dryrun"; did you mean "dry_run"\?/],
    [{ plan_id: ID, plan: null }, /plan: is/],
    [{ plan_id: ID, from: ['a'] }, /from: is a list/],
    [{ plan_id: ID, model_profile: '' }, /model_profile: must not be empty/],
  ],
  plan_retry: [
    [{}, /`plan_id` is missing/],
    [{ plan_id: ID, plan: 'x' }, /unknown word "plan"/],
    [{ plan_id: ID, model_profile: 3 }, /model_profile: is the number 3/],
  ],
  plan_pause: [
    [{}, /`plan_id` is missing/],
    [{ plan_id: ID, strict: true }, /unknown word "strict"/],
  ],
  plan_answer: [
    [{}, /`plan_id` is missing/],
    [{ plan_id: ID, question: 1 }, /question: is the number 1/],
    [{ plan_id: ID, values: 'x' }, /values: is the text "x"/],
  ],
  plan_list: [
    [{ limit: 0 }, /limit: .*1 or more/],
    [{ limit: 51 }, /limit: .*50 or less/],
    [{ limit: 1.5 }, /limit: /],
    [{ state: 'executing' }, /state: .*one of pending, processing, completed, failed, stopped/],
  ],
  plan_logs: [
    [{}, /`plan_id` is missing/],
    [{ plan_id: ID, task: 'a', tail: 0 }, /tail: .*1 or more/],
    [{ plan_id: ID, task: 'a', offset: -1 }, /offset: .*0 or more/],
  ],
  plan_validate: [
    [{}, /plan: is empty; it has to be text or a map/],
    [{ plan: [] }, /plan: is a list/],
  ],
  agents_run: [
    [{ message: 'x' }, /`chat_id` is missing/],
    [{ chat_id: 'c' }, /`message` is missing/],
    [{ chat_id: 'c', message: 'x', resume: 'yes' }, /resume: /],
  ],
  agents_status: [[{}, /`chat_id` is missing/]],
  plasm: [
    [{}, /`program` is missing/],
    [{ program: ['Pokemon'] }, /program: /],
    [{ program: 'Pokemon', session: 1 }, /session: /],
  ],
  plasm_run: [
    [{ prompt_hash: 'x' }, /`program` is missing/],
    [{ program: 'Pokemon', wait: 'no' }, /wait: /],
  ],
  plasm_catalogs: [[{ register: 1 }, /register: /]],
};

test('every tool is here', () => {
  expect(Object.keys(WRONG).sort()).toEqual(TOOLS.map(({ name }) => name).sort());
});

const cases = Object.entries(WRONG).flatMap(([tool, rows]) =>
  rows.map(([args, message]) => [tool, JSON.stringify(args).slice(0, 60), args, message] as const),
);
test.each(cases)('%s %s is refused with what is wrong, where', async (tool, _, args, message) => {
  const { tool: call, calls } = await connected();
  const { isError, body } = await call(tool, args as object);
  expect(isError).toBe(true);
  expect(body.error).toMatchObject({ code: 'REQUEST_INVALID', message: expect.stringMatching(message) });
  expect(calls).toEqual([]);
});

test.each(ERAS)('in %s, an unknown tool is an error of the protocol that names those there are', async (era) => {
  const { rpc } = await connected({}, era);
  await expect(rpc('tools/call', { name: 'plan_delete', arguments: {} })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('plan_create, plan_status'),
  });
});

test.each(Object.keys(FAULTS) as FaultCode[])('the fault %s is an answer with its code', async (code) => {
  const { tool } = await connected({ read: () => Promise.reject(new Fault(code, 'what, where, what to do')) });
  const { isError, body } = await tool('plan_status', { plan_id: ID });
  expect(isError).toBe(true);
  expect(body.error.code).toBe(code);
  expect(body.error.details?.retryable ?? false).toBe(FAULTS[code].retryable);
  if (code !== 'INTERNAL') expect(body.error.message).toBe('what, where, what to do');
});

test('of what goes wrong inside, callers learn nothing, and the log everything', async () => {
  const { tool, log } = await connected({ read: () => Promise.reject(new Error('secret place')) });
  const { body } = await tool('plan_status', { plan_id: ID });
  expect(body.error.code).toBe('INTERNAL');
  expect(JSON.stringify(body)).not.toContain('secret place');
  expect(JSON.stringify(log)).toContain('secret place');
});

test('every wrong place of a plan file is told', async () => {
  const { tool } = await connected();
  const { isError, body } = await tool('plan_validate', {
    plan: 'plan: 1\nname: x\ntasks:\n  a: { rn: x }\n  b: { nedes: [a] }\n',
  });
  expect(isError).toBe(true);
  expect(body.error.code).toBe('PLAN_INVALID');
  expect(body.error.details.errors.length).toBeGreaterThan(1);
  expect(body.error.details.errors[0]).toMatchObject({ line: 4 });
});

test.each([
  ['no JSON', '{', 400],
  ['no message', '[]', 400],
  ['nothing', '', 400],
])('a body that is %s is refused in the form of the protocol', async (_, body, status) => {
  const { port } = await connected();
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body,
  });
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } });
});

test('a body beyond 10 MiB is refused', async () => {
  const { send } = await connected();
  const response = await send('tools/call', { name: 'plan_create', arguments: { plan: 'x'.repeat(11 * 2 ** 20) } });
  expect(response.status).toBe(413);
});

test.each(['GET', 'DELETE', 'PUT'])('there is no %s at /mcp: no session outlasts a request', async (method) => {
  const { ask } = await connected();
  const { status, headers } = await ask(`${method} /mcp`);
  expect([status, headers.allow]).toEqual([405, 'POST, OPTIONS']);
});

test.each([
  [{ origin: 'http://evil.example' }, 'pages of'],
  [{ host: 'evil.example' }, 'only this machine is served'],
])('without authentication a request with %j is refused before its body is read', async (headers, words) => {
  const { ask, calls } = await connected();
  const { status, json } = await ask('POST /mcp', { headers, body: {} });
  expect([status, json.code]).toEqual([403, 'PLAN_FORBIDDEN']);
  expect(json.detail).toContain(words);
  expect(calls).toEqual([]);
});
