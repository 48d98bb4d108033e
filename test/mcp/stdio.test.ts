import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Client, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BIN, http, newHome } from '../support/engine.ts';
import { until, witness } from '../support/world.ts';
import { envelope, rawStdio } from './raw-stdio.ts';
import { answerOf, type Wire } from './rpc.ts';

let home: ReturnType<typeof newHome>;
let env: Record<string, string>;
beforeEach(() => {
  home = newHome();
  env = { PATH: process.env.PATH!, HOME: process.env.HOME!, HOLDPOINT_HOME: home.home };
});
afterEach(async () => {
  await home.end();
});

/** The official client, which checks what is answered against the schemas that tools are listed with. */
async function connect(mode: VersionNegotiationMode, more: Record<string, string> = {}) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, 'mcp'],
    env: { ...env, ...more },
    stderr: 'ignore',
  });
  await client.connect(transport);
  await client.listTools();
  const tool = async (name: string, args: object) => {
    const given = { name, arguments: args as Record<string, unknown> };
    return answerOf((await client.callTool(given, { timeout: 120_000 })) as Wire);
  };
  return { client, tool };
}

const MODES = {
  'the protocol with initialize': 'legacy',
  'the protocol without sessions': { pin: '2026-07-28' },
} as const;

describe.each(Object.entries(MODES))('%s', (_, mode) => {
  test('starts an engine when none runs; a plan outlives the client and the engine', async () => {
    const w = witness();
    const first = await connect(mode);
    const plan = `plan: 1\nname: p\ntasks:\n  a: { run: "${w.mark('a')}" }\n  b: { needs: [a], run: "${w.mark('b')}; test -f ${w.path('ok')}" }\n`;
    const { body } = await first.tool('plan_create', { plan });
    const { plan_id } = body;
    expect((await first.tool('plan_wait', { plan_id })).body).toMatchObject({ state: 'failed', current_task: 'b' });

    await home.cli('server', 'stop');
    const status = await first.tool('plan_status', { plan_id });
    expect(status.body).toMatchObject({ state: 'failed', error: { failed_step: 'b' } });
    await first.client.close();

    const second = await connect(mode);
    writeFileSync(w.path('ok'), '');
    expect((await second.tool('plan_resume', { plan_id })).body.status).toBe('resume_queued');
    expect((await second.tool('plan_wait', { plan_id })).body.state).toBe('completed');
    expect([w.n('a'), w.n('b')]).toEqual([1, 2]);
    await second.client.close();
  }, 180_000);
});

test('a cancelled wait ends only the waiting (case 38)', async () => {
  const { client, tool } = await connect('legacy');
  const { plan_id } = (await tool('plan_create', { plan: 'plan: 1\nname: s\ntasks:\n  a: { run: sleep 300 }\n' })).body;
  const cancel = new AbortController();
  const wait = client.callTool({ name: 'plan_wait', arguments: { plan_id } }, { signal: cancel.signal });
  cancel.abort();
  await expect(wait).rejects.toThrow();
  expect((await tool('plan_status', { plan_id })).body.state).toBe('processing');
  await tool('plan_stop', { plan_id });
  expect((await tool('plan_wait', { plan_id })).body.state).toBe('stopped');
  await client.close();
}, 120_000);

test('a wait goes on as a task, also in the next server', async () => {
  await home.up();
  const tasks = envelope({ extensions: { 'io.modelcontextprotocol/tasks': {} } });
  const first = rawStdio(env);
  const call = (name: string, args: object) => first.request('tools/call', { ...tasks, name, arguments: args });
  const made = await call('plan_create', { plan: 'plan: 1\nname: s\ntasks:\n  a: { run: sleep 300 }\n' });
  const { plan_id } = made.result.structuredContent;
  const { taskId, status } = (await call('plan_wait', { plan_id })).result;
  expect(status).toBe('working');
  await call('plan_stop', { plan_id });
  expect(await first.end()).toEqual([0, null]);
  const second = rawStdio(env);
  const task = await until('it is completed', async () => {
    const { result } = await second.request('tasks/get', { ...tasks, taskId });
    return result.status === 'completed' && result;
  });
  expect(answerOf(task.result).body).toMatchObject({ plan_id, state: 'stopped', waited: 'ended' });
  expect((await second.request('tasks/get', { ...envelope(), taskId })).error).toMatchObject({ code: -32021 });
  await second.end();
}, 120_000);

test('commands of a plan run where the client started the server', async () => {
  const { client, tool } = await connect('legacy');
  const { plan_id } = (await tool('plan_create', { plan: 'plan: 1\nname: d\ntasks:\n  a: { run: pwd }\n' })).body;
  await tool('plan_wait', { plan_id });
  expect((await tool('plan_logs', { plan_id, task: 'a' })).body.text).toBe(`${process.cwd()}\n`);
  await client.close();
}, 120_000);

test('who has an API key calls as its owner; a wrong one may nothing', async () => {
  const { client, tool } = await connect('legacy', { HOLDPOINT_API_KEY: 'wrong' });
  const { isError, body } = await tool('plan_list', {});
  expect([isError, ['UNAUTHENTICATED', 'CONFIG_INVALID'].includes(body.error.code)]).toEqual([true, true]);
  await client.close();
}, 120_000);

test('standard output has nothing but the protocol, and the end of the input ends the server with 0', async () => {
  const engine = await home.up();
  const child: ChildProcess = spawn(process.execPath, [BIN, 'mcp'], { env: { ...env, HOLDPOINT_DEBUG: '1' } });
  let out = '';
  child.stdout!.on('data', (chunk) => (out += chunk));
  const send = (message: object) => child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'raw', version: '1' };
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
  send({ method: 'notifications/initialized' });
  child.stdin!.write('this is no JSON\n');
  send({ id: 2, method: 'tools/call', params: { name: 'plan_list', arguments: {} } });
  await until('both are answered', () => out.trim().split('\n').length >= 2);
  for (const line of out.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  const ended = once(child, 'exit');
  child.stdin!.end();
  expect(await ended).toEqual([0, null]);
  expect((await http(engine.url).get('/healthz')).status).toBe(200);
}, 120_000);
