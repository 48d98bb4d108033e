import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { asFault } from '../../src/faults.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import { ID, serve } from '../api/serve.ts';
import { until } from '../support/world.ts';
import { ERAS, rpcClient } from './rpc.ts';

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

async function posting(told: Parameters<typeof serve>[0] = {}) {
  const served = await serve(told);
  async function post(body: string, headers: Record<string, string> = {}) {
    const url = `http://127.0.0.1:${served.port}/mcp`;
    const response = await fetch(url, { method: 'POST', headers: { ...HEADERS, ...headers }, body });
    const text = await response.text();
    const data = text.startsWith('event:') ? text.slice(text.indexOf('data: ') + 6) : text;
    return { status: response.status, message: JSON.parse(data) };
  }
  const call = (name: string, args: string) =>
    post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`);
  return { ...served, ...rpcClient(`http://127.0.0.1:${served.port}`), post, call };
}

test.each([
  ['an object', deep(100_000)],
  ['a list', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
])('%s of any depth as an argument is refused, with how deep it may be', async (_, value) => {
  const { call, log, calls } = await posting();
  for (const { name } of TOOLS) {
    const { message } = await call(name, `{"plan_id":"${ID}","plan":${value},"inputs":${value},"values":${value}}`);
    const { error } = JSON.parse(message.result.content[0].text);
    expect(error, name).toEqual({
      code: 'REQUEST_INVALID',
      message: 'the arguments are nested deeper than 40 levels',
    });
  }
  expect([calls, log.filter(({ level }) => level === 50)]).toEqual([[], []]);
});

test.each(ERAS)('in %s, parameters of the wrong type are told in one line of words', async (era) => {
  const { port } = await serve();
  const { rpc } = rpcClient(`http://127.0.0.1:${port}`, { era });
  for (const [method, params, words] of [
    ['tools/call', { name: 'plan_list', arguments: 'x' }, 'params.arguments: '],
    ['tools/call', { name: 'plan_list', arguments: [] }, 'params.arguments: '],
    ['tools/call', {}, 'params.name: '],
    ['resources/read', {}, 'params.uri: '],
    ['resources/read', { uri: 7 }, 'params.uri: '],
    ['resources/list', { cursor: 7 }, 'params.cursor: '],
  ] as const) {
    const refused = await rpc(method, params).catch((error) => error);
    expect(refused, `${method} ${JSON.stringify(params)}`).toMatchObject({ code: expect.any(Number) });
    if (refused.code === -32020) continue;
    expect([refused.code, refused.message]).toEqual([-32602, expect.stringContaining(words)]);
    expect(refused.message).not.toContain('\n');
  }
});

test.each([
  'holdpoint://plans/../tasks/a/log',
  `holdpoint://plans/${ID}/tasks/..%2F..%2Fetc%2Fpasswd/log`,
  `holdpoint://plans/${ID}/tasks/%00/log`,
  `holdpoint://plans/${ID}/tasks/%zz/log`,
  `holdpoint://plans/${ID}/artifacts/..`,
  `holdpoint://plans/${ID}/artifacts/..%2f..%2fx`,
  'holdpoint://plans/%2e%2e/artifacts/x',
  `holdpoint://plans/${ID}/tasks/a/b/log`,
  'HOLDPOINT://plans/x/tasks/y/log',
  'file:///etc/passwd',
  '',
  'x'.repeat(1_000_000),
  '[{'.repeat(500_000),
])('a resource %.60s is not there', async (uri) => {
  const told: unknown[] = [];
  const { rpc } = await posting({
    openLog: async (_caller, _id, { task }) => void told.push(task),
    artifact: async (_caller, _id, sha256) => {
      told.push(sha256);
      throw Object.assign(new Error(), {});
    },
  });
  const began = Date.now();
  const answer = await rpc('resources/read', { uri }).catch((error) => error);
  expect(Date.now() - began).toBeLessThan(5_000);
  // What gets as far as the service is the name of a task, or a hash, which it looks up and never makes a path of.
  if (told.length === 0) expect(answer).toMatchObject({ code: -32602 });
  expect(JSON.stringify(answer.message ?? '').length).toBeLessThan(1_000);
});

test('keys that mean something to JavaScript mean nothing here', async () => {
  const { call, post } = await posting();
  await call(
    'plan_validate',
    '{"plan":"x","inputs":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
  );
  await call('plan_answer', `{"plan_id":"${ID}","values":{"__proto__":{"polluted":1}}}`);
  await post('{"jsonrpc":"2.0","id":"__proto__","method":"ping","params":{"__proto__":{"polluted":1}}}');
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  const { message } = await call('plan_status', '{"__proto__":{"plan_id":"x"}}');
  expect(JSON.parse(message.result.content[0].text).error.message).toContain('`plan_id` is missing');
  for (const name of ['__proto__', 'constructor', 'toString', 'plan_\\u0000\\ud800'])
    expect((await call(name, '{}')).message.error, name).toMatchObject({ code: -32602 });
});

test.each([
  ['an id that is a list', '{"jsonrpc":"2.0","id":[],"method":"ping"}'],
  ['an id that is no whole number', '{"jsonrpc":"2.0","id":1e308,"method":"ping"}'],
  ['parameters that are a list', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}'],
  ['another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}'],
  ['no method', '{"jsonrpc":"2.0","id":1}'],
  [
    'a batch beyond 100',
    JSON.stringify(Array.from({ length: 101 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))),
  ],
])('%s is refused in the form of the protocol', async (_, body) => {
  const { post } = await posting();
  expect(await post(body)).toMatchObject({ status: 400, message: { jsonrpc: '2.0', error: { code: -32600 } } });
});

test('a thousand calls at once are all answered', async () => {
  const { ask, calls } = await posting();
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'plan_list' } });
  const one = () => ask('POST /mcp', { headers: HEADERS, body });
  const all = await Promise.all(Array.from({ length: 1_000 }, one));
  expect(all.filter(({ status, text }) => status !== 200 || text.includes('isError'))).toEqual([]);
  expect(calls).toHaveLength(1_000);
});

test('who goes away while sending does not fill the log', async () => {
  const { port, log, tool } = await posting();
  const socket = connect(port, '127.0.0.1');
  const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nAccept: ${HEADERS.accept}\r\n`;
  socket.write(`${head}Content-Length: 1000\r\n\r\n{"jsonrpc"`);
  await new Promise((resolve) => setTimeout(resolve, 200));
  socket.destroy();
  await tool('plan_list');
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(log.filter(({ level }) => level === 50)).toEqual([]);
});

test('a call whose connection closes is not told to anybody as an error', async () => {
  let began = false;
  const { tool, log } = await posting({
    read: async () => {
      began = true;
      await new Promise((resolve) => setTimeout(resolve, 300));
      throw new Error('too late');
    },
  });
  const gone = new AbortController();
  const call = tool('plan_status', { plan_id: ID }, gone.signal).catch(() => 'gone');
  await until('it has begun', () => began);
  gone.abort();
  expect(await call).toBe('gone');
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(log.filter(({ level }) => level === 50)).toEqual([]);
});

test('a time-out of Temporal’s client says to call again', () => {
  const timeout = Object.assign(new Error('Timeout expired'), { code: 1, details: '' });
  expect(asFault(timeout).code).toBe('ENGINE_UNAVAILABLE');
});
