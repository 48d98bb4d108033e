import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newHome } from '../support/engine.ts';
import { until } from '../support/world.ts';
import { BIG, pokedex } from './plasm-source.ts';
import { envelope, rawStdio } from './raw-stdio.ts';
import type { Wire } from './rpc.ts';

let home: ReturnType<typeof newHome>;
let source: Awaited<ReturnType<typeof pokedex>>;
let env: Record<string, string>;
let engine: Awaited<ReturnType<ReturnType<typeof newHome>['up']>>;
beforeAll(async () => {
  source = await pokedex();
  home = newHome({ HOLDPOINT_ALLOW_PRIVATE_HOSTS: '127.0.0.1' });
  env = { PATH: process.env.PATH!, HOME: process.env.HOME!, HOLDPOINT_HOME: home.home };
  engine = await home.up();
  const response = await fetch(`${engine.url}/catalogs`, { method: 'POST', body: source.catalog, headers: YAML });
  expect(response.status).toBe(201);
}, 180_000);
const YAML = { 'content-type': 'application/yaml' };
afterAll(async () => {
  source.stop();
  await home.end();
});
beforeEach(() => source.slow(0));

const PUSH = 'notifications/plasm/op';
const ERAS = { 'with initialize': {}, 'without sessions': envelope() };

async function agent(session: string, more: Wire) {
  const server = rawStdio(env);
  if (!more._meta) {
    const clientInfo = { name: 'raw', version: '1' };
    await server.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    server.notify('notifications/initialized');
  }
  return {
    ...server,
    run: async (program: string, args: object = {}): Promise<Wire> =>
      (await server.request('tools/call', { ...more, name: 'plasm_run', arguments: { program, session, ...args } }))
        .result,
    pushed: () =>
      server.seen.filter(({ method }) => method === PUSH).map(({ params }) => params as { line: string; n: number }),
  };
}

describe.each(Object.entries(ERAS))('%s', (name, more) => {
  test('lines go on after the answer until the operation ends, rows every two seconds at most', async () => {
    source.slow(250);
    const { run, pushed, seen, end } = await agent(`push ${name}`, more);
    const begun = Date.now();
    const accepted = await run(BIG, { force: true, wait: false });
    expect(accepted._meta.plasm.continuity).toEqual({ p: 'running', h: 's1_o1' });
    const answeredAt = seen.findIndex(({ result }) => result?._meta?.plasm);
    await until('the end is pushed', () => pushed().some(({ line }) => line.includes(' ! ')), 60_000);
    const lines = pushed();
    expect(lines[0]).toEqual({ line: '`s1_o1` + review', n: 1 });
    expect(lines.at(-1)).toEqual({ line: '`s1_o1` ! 600r', n: lines.length });
    expect(lines.map(({ n }) => n)).toEqual(lines.map((_, i) => i + 1));
    expect(lines.slice(1, -1).filter(({ line }) => !/^`s1_o1` ~ 1\/1 Pokemon( \d+r)?$/.test(line))).toEqual([]);
    expect(seen.slice(answeredAt).filter(({ method }) => method === PUSH).length).toBeGreaterThan(2);
    expect(lines.length).toBeLessThanOrEqual(4 + Math.ceil((Date.now() - begun) / 2_000));
    const waited = await run('wait(s1_o1)');
    expect(waited.structuredContent.rows).toHaveLength(600);
    expect(pushed()).toHaveLength(lines.length);
    expect(await end()).toEqual([0, null]);
  }, 120_000);
});

test('a connection that ends is followed no longer, and the operation goes on', async () => {
  source.slow(250);
  const first = await agent('left', envelope());
  await first.run(BIG, { force: true, wait: false });
  const before = Date.now();
  expect(await first.end()).toEqual([0, null]);
  expect(Date.now() - before).toBeLessThan(10_000);
  source.slow(0);
  const second = await agent('left', envelope());
  await until('it has ended', async () => {
    const { _meta } = await second.run('wait(s1_o1)');
    return _meta.plasm.op['!'] === 1;
  });
  await second.end();
}, 120_000);

test('who asks for an operation of an earlier connection is pushed what follows, also over a crash of the engine', async () => {
  source.slow(400);
  const first = await agent('again', envelope());
  await first.run(BIG, { force: true, wait: false });
  await first.end();
  const second = await agent('again', envelope());
  await second.run('wait(s1_o1)');
  await until('a line is pushed', () => second.pushed().length > 0);
  await engine.kill();
  source.slow(0);
  engine = await home.up();
  await until('its end is pushed', () => second.pushed().some(({ line }) => /` [!x?]( |$)/.test(line)), 90_000);
  const numbers = second.pushed().map(({ n }) => n);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  expect(second.pushed().at(-1)!.line).toBe('`s1_o1` ! 600r');
  await second.end();
}, 180_000);
