import { afterEach, beforeEach, expect, test } from 'vitest';
import { newHome } from '../support/engine.ts';
import { until } from '../support/world.ts';
import { rawStdio } from './raw-stdio.ts';

let home: ReturnType<typeof newHome>;
let env: Record<string, string>;
beforeEach(async () => {
  home = newHome();
  env = { PATH: process.env.PATH!, HOME: process.env.HOME!, HOLDPOINT_HOME: home.home };
  await home.up();
});
afterEach(async () => {
  await home.end();
});

async function initialized() {
  const server = rawStdio(env);
  const clientInfo = { name: 'raw', version: '1' };
  await server.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  server.notify('notifications/initialized');
  return server;
}

test('what is no message is told on standard error, and the next one is answered', async () => {
  const server = await initialized();
  for (const line of ['{', 'null', '[]', '7', '{"jsonrpc":"2.0","id":{},"method":"ping"}', '{"jsonrpc":"1.0","id":1}'])
    server.write(`${line}\n`);
  server.write('\u0000\ud800\n');
  server.notify('notifications/cancelled', { requestId: 'nothing' });
  server.notify('notifications/cancelled');
  server.write('{"jsonrpc":"2.0","id":"__proto__","result":{}}\n');
  expect(await server.request('ping')).toMatchObject({ result: {} });
  expect(server.errors()).toContain('is no JSON-RPC message');
  expect(server.errors()).not.toContain('[\n');
  expect(await server.end()).toEqual([0, null]);
}, 120_000);

test('a line that is too long ends the server with what was wrong, and does not leave its client waiting', async () => {
  const server = await initialized();
  const ended = new Promise((resolve) => server.child.once('exit', resolve));
  server.write(`{"jsonrpc":"2.0","id":"big","method":"tools/call","params":{"name":"${'x'.repeat(11 * 2 ** 20)}`);
  expect(await ended).toBe(2);
  expect(server.errors()).toContain('a message on standard input is longer than 10485760 bytes');
}, 120_000);

test('many calls at once share a connection, and all are answered', async () => {
  const server = await initialized();
  const all = await Promise.all(Array.from({ length: 80 }, () => server.request('tools/call', { name: 'plan_list' })));
  expect(all.filter(({ result }) => result?.isError !== undefined)).toEqual([]);
  expect(server.errors()).toBe('');
  await server.end();
}, 120_000);

test('an input that ends, or an output that closes, while calls are at work ends the server at once', async () => {
  const server = await initialized();
  const plan = 'plan: 1\nname: s\ntasks:\n  a: { run: sleep 300 }\n';
  const made = await server.request('tools/call', { name: 'plan_create', arguments: { plan } });
  const { plan_id } = made.result.structuredContent;
  const wait = { jsonrpc: '2.0', id: 'w', method: 'tools/call', params: { name: 'plan_wait', arguments: { plan_id } } };
  server.write(`${JSON.stringify(wait)}\n`);
  await server.request('ping');
  const began = Date.now();
  expect(await server.end()).toEqual([0, null]);
  expect(Date.now() - began).toBeLessThan(10_000);

  const other = await initialized();
  const ended = new Promise((resolve) => other.child.once('exit', resolve));
  other.child.stdout!.destroy();
  for (let i = 0; i < 3; i++) other.notify('ping', {});
  other.write('{"jsonrpc":"2.0","id":"l","method":"tools/list"}\n');
  expect(await ended).toBe(0);

  const third = await initialized();
  const status = await third.request('tools/call', { name: 'plan_status', arguments: { plan_id } });
  expect(status.result.structuredContent.state).toBe('processing');
  await third.request('tools/call', { name: 'plan_stop', arguments: { plan_id } });
  await until('it is stopped', async () => {
    const { result } = await third.request('tools/call', { name: 'plan_status', arguments: { plan_id } });
    return result.structuredContent.state === 'stopped';
  });
  await third.end();
}, 120_000);
