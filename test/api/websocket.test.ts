import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StateChange } from '../../src/service/hub/organisation.ts';
import type { PlanService } from '../../src/service/service.ts';
import { caller, startWorld, until } from '../support/world.ts';
import { fakeService, ID } from './serve.ts';
import { serveAll } from './streams.ts';

const ada = { ...caller, principal: { id: 'ada', name: 'Ada L.', org_id: 'acme' } };
const GATE = 'plan: 1\nname: gate\ntasks:\n  ok: { approve: "Go on?" }\n';

/** A service whose plans change when the test says so. */
function changing() {
  const listeners = new Map<(change: StateChange) => void, string>();
  const subscribe: PlanService['subscribe'] = ({ principal }, listener) => {
    listeners.set(listener, principal.org_id);
    return () => listeners.delete(listener);
  };
  const change = (seq: number, org_id = 'acme') => {
    const told = { org_id, plan_id: 'p', state: { status: 'paused' as const }, seq, at: 1_000 };
    for (const [listener, org] of listeners) if (org === org_id) listener(told);
  };
  return { service: fakeService({ subscribe }).service, change, count: () => listeners.size };
}

describe('with plans at work', () => {
  let world: Awaited<ReturnType<typeof startWorld>>;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(async () => await world.stop());
  const create = async () =>
    (await world.service.create(ada, { plan: GATE, place: { env: { PATH: process.env.PATH! } } })).plan_id;

  test('subscribers of the organisation see every state of every plan, in order and each once; others see nothing', async () => {
    const { subscribe } = await serveAll(world.service);
    const [one, two, other] = [await subscribe(), await subscribe(), await subscribe('eve')];
    const ids = [await create(), await create()];
    for (const id of ids) {
      const mine = (told: typeof one.told) => told.filter(({ plan_id }) => plan_id === id);
      const has = (status: string) =>
        until(`${status} is told`, () => mine(one.told).some(({ state }) => state.status === status));
      await has('awaiting_input');
      for (const name of ['pause', 'resume', 'stop'] as const) await world.service.command(ada, id, name);
      await has('stopped');
      await until('the other has it', () => mine(two.told).length === mine(one.told).length);
      expect(mine(two.told)).toEqual(mine(one.told));
      const states = mine(one.told).map(({ state }) => state.status);
      expect(states.slice(states.indexOf('awaiting_input'))).toEqual([
        'awaiting_input',
        'paused',
        'stand_by',
        'awaiting_input',
        'stopped',
      ]);
      const seqs = mine(one.told).map(({ seq }) => seq);
      expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
      const stories = (await world.service.events(ada, id, 0)).filter(({ state }) => state);
      expect(seqs).toEqual(stories.map(({ seq }) => seq));
      expect(mine(one.told)[0]).toMatchObject({
        type: 'EVT_PLAN_STATE_CHANGED',
        org_id: 'acme',
        at: expect.stringMatching(/Z$/),
      });
      expect(mine(one.told).find(({ state }) => state.status === 'paused')!.state).toEqual({ status: 'paused' });
      expect(mine(one.told).find(({ state }) => state.status === 'stand_by')!.state).toMatchObject({
        next_execution_at: expect.any(String),
      });
    }
    expect(other.told).toEqual([]);
  });

  test('what no engine of this process hints is told as well: a plan that an operator terminates', async () => {
    const { subscribe } = await serveAll(world.service);
    const { told } = await subscribe();
    const id = await create();
    await until('it waits', () =>
      told.some(({ plan_id, state }) => plan_id === id && state.status === 'awaiting_input'),
    );
    await world.client.workflow.getHandle(`plan/acme/${id}`).terminate();
    await until('it is stopped', () => told.some(({ plan_id, state }) => plan_id === id && state.status === 'stopped'));
    const seqs = told.filter(({ plan_id }) => plan_id === id).map(({ seq }) => seq);
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
  });
});

describe('who may subscribe', () => {
  test.each([
    ['no key', undefined, {}, 401, 'UNAUTHENTICATED'],
    ['a wrong key', 'nobody', {}, 401, 'UNAUTHENTICATED'],
    ['no permission to read', 'bot', {}, 403, 'PLAN_FORBIDDEN'],
    ['a page of elsewhere', 'ada', { origin: 'https://evil.example' }, 403, 'PLAN_FORBIDDEN'],
    ['a page of nowhere', 'ada', { origin: 'null' }, 403, 'PLAN_FORBIDDEN'],
  ] as const)('%s: a problem, and no WebSocket', async (_, key, headers, status, code) => {
    const { service, count } = changing();
    const { subscribe } = await serveAll(service);
    const { refused } = await subscribe(key ?? '', '', headers);
    expect(refused!.status).toBe(status);
    expect(JSON.parse(refused!.text)).toMatchObject({ code, status });
    expect(count()).toBe(0);
  });

  test('pages of the server itself and those that are allowed', async () => {
    const { subscribe, port } = await serveAll(changing().service, { allowedOrigins: ['https://app.example'] });
    for (const origin of [`http://127.0.0.1:${port}`, 'https://app.example'])
      expect((await subscribe('ada', '', { origin })).refused, origin).toBeUndefined();
  });

  test('without authentication only this machine, and no page of another name for it', async () => {
    const { subscribe } = await serveAll(changing().service, { loopbackOnly: true });
    expect((await subscribe('ada', '', { host: 'evil.example' })).refused!.status).toBe(403);
    expect((await subscribe('ada')).refused).toBeUndefined();
  });

  test('a ticket is a key for one connection, of whoever asked for it', async () => {
    const { service, change } = changing();
    const { call, subscribe } = await serveAll(service);
    expect((await call('POST', '/api/ws/ticket', 'nobody')).status).toBe(401);
    const answer = await call('POST', '/api/ws/ticket', 'eve');
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store']);
    const { ticket, expires_at } = (await answer.json()) as { ticket: string; expires_at: string };
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.now());
    const { told, refused } = await subscribe('', `?ticket=${ticket}`);
    expect(refused).toBeUndefined();
    change(1, 'acme');
    change(2, 'evil');
    await until('it is told', () => told.length === 1);
    expect(told[0]).toMatchObject({ org_id: 'evil', seq: 2 });
    for (const used of [ticket, 'nonsense', '']) {
      const again = await subscribe('', `?ticket=${used}`);
      expect(again.refused!.status).toBe(401);
    }
  });

  test('whoever is no longer who they were is let go', async () => {
    const { service, count } = changing();
    const { subscribe, keys } = await serveAll(service, { recheckMs: 20 });
    const { closed } = await subscribe();
    keys.delete('ada');
    expect(await closed).toBe(4401);
    await until('nobody is subscribed', () => count() === 0);
  });
});

/** A stream that tells nothing until it is ended. */
async function* silence(signal: AbortSignal): AsyncGenerator<never, void> {
  if (!signal.aborted) await once(signal, 'abort');
  yield* [];
}
const followLogs: PlanService['followLogs'] = (_caller, _id, { signal }) => silence(signal);

describe('a key that is taken away', () => {
  test('a ticket that it was given before opens nothing', async () => {
    const { call, subscribe, keys } = await serveAll(changing().service);
    const { ticket } = (await (await call('POST', '/api/ws/ticket')).json()) as { ticket: string };
    keys.delete('ada');
    expect((await subscribe('', `?ticket=${ticket}`)).refused!.status).toBe(401);
  });

  test('closes what is open as soon as the keys are read again: sockets, events and logs', async () => {
    const follow: PlanService['follow'] = async () => ({ over: false, pushed: silence });
    const { service } = changing();
    const { subscribe, keys, keysChanged, call } = await serveAll({ ...service, follow, followLogs });
    const headers = { accept: 'text/event-stream' };
    const open = await Promise.all(
      ['events', 'tasks/a/logs'].map((path) => call('GET', `/api/plans/${ID}/${path}`, 'ada', headers)),
    );
    expect(open.map(({ status }) => status)).toEqual([200, 200]);
    const { closed } = await subscribe();
    keys.delete('ada');
    keysChanged();
    expect(await closed).toBe(4401);
    expect(await Promise.all(open.map((answer) => answer.text()))).toEqual(['', '']);
  });

  test('a server that ends closes streams of logs, too', async () => {
    const { call, end } = await serveAll({ ...changing().service, followLogs });
    const answer = await call('GET', `/api/plans/${ID}/tasks/a/logs`, 'ada', { accept: 'text/event-stream' });
    const text = answer.text();
    void end();
    expect(await text).toBe('');
  });
});

describe('a connection', () => {
  test('its address is no page', async () => {
    const { call } = await serveAll(changing().service);
    const plain = await call('GET', '/api/ws');
    expect([plain.status, plain.headers.get('upgrade')]).toEqual([426, 'websocket']);
    expect((await call('POST', '/api/ws')).status).toBe(405);
  });

  test('a change of protocol that is not offered is passed over: the request is answered, its body and the next one, too', async () => {
    const { port } = await serveAll(changing().service);
    const say = async (line: string, upgrade: string, more: string[] = [], body = '') => {
      const { connect } = await import('node:net');
      const socket = connect(port, '127.0.0.1');
      const head = [
        line,
        'Host: x',
        'Authorization: Bearer ada',
        `Upgrade: ${upgrade}`,
        'Connection: Upgrade',
        ...more,
      ];
      const half = body.length / 2;
      socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, half)}`);
      setTimeout(
        () => socket.write(`${body.slice(half)}GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
        50,
      );
      return (await text(socket)).match(/HTTP\/1\.1 \d+/g)!.map((found) => Number(found.slice(9)));
    };
    const json = '{"mode": "retry"}';
    const length = ['Content-Type: application/json', `Content-Length: ${json.length}`];
    const chunked = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
    const chunks = `5\r\n${json.slice(0, 5)}\r\nc\r\n${json.slice(5)}\r\n0\r\n\r\n`;
    const run = `POST /api/plans/${ID}/runs HTTP/1.1`;
    expect(await say('GET /api/me HTTP/1.1', 'h2c', ['HTTP2-Settings: AAMAAABk'])).toEqual([200, 200]);
    expect(await say(run, 'h2c', length, json)).toEqual([202, 200]);
    expect(await say(run, 'h2c', chunked, chunks)).toEqual([202, 200]);
    expect(await say('GET /api/me HTTP/1.1', 'websocket')).toEqual([200, 200]);
    expect(await say('GET /api/ws HTTP/1.1', 'h2c')).toEqual([426, 200]);
    expect(await say('GET // HTTP/1.1', 'websocket')).toEqual([404, 200]);
  });

  test.each([
    ['without a key', { 'Sec-WebSocket-Version': '13' }, 422, 'REQUEST_INVALID'],
    [
      'of another version',
      { 'Sec-WebSocket-Version': '5', 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' },
      426,
      'UPGRADE_REQUIRED',
    ],
  ])('a handshake %s is refused as a problem', async (_, more, status, code) => {
    const { port } = await serveAll(changing().service);
    const headers = { Connection: 'Upgrade', Upgrade: 'websocket', Authorization: 'Bearer ada', ...more };
    const asked = get({ port, path: '/api/ws', agent: false, headers: headers as Record<string, string> });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([status, 'application/problem+json']);
    expect(JSON.parse(await text(answer))).toMatchObject({ code, status });
  });

  test('what subscribers say is answered once, and what is too long ends it', async () => {
    const { subscribe } = await serveAll(changing().service);
    const { socket, told, closed } = await subscribe();
    socket.send('hello');
    socket.send('hello?');
    await until('an error is told', () => told.length > 0);
    expect(told).toEqual([expect.objectContaining({ type: 'error', code: 'REQUEST_INVALID' })]);
    socket.send('x'.repeat(2_000));
    expect(await closed).toBe(1009);
  });

  test('a peer that answers no ping is let go', async () => {
    const { service, count } = changing();
    const { port } = await serveAll(service, { recheckMs: 50 });
    // A peer that opens and then never answers: the frames of the server are not even read.
    const { connect } = await import('node:net');
    const mute = connect(port, '127.0.0.1');
    mute.write(
      'GET /api/ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nAuthorization: Bearer ada\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    await until('it is subscribed', () => count() === 1);
    await until('it is let go', () => count() === 0);
    mute.destroy();
  });

  test('whoever does not read is let go, and holds nobody else', async () => {
    const { service, change, count } = changing();
    const { subscribe } = await serveAll(service);
    const slow = await subscribe();
    const quick = await subscribe();
    slow.socket.pause();
    let n = 0;
    await until('the slow one is let go', async () => {
      for (let i = 0; i < 2_000; i++) change(++n);
      await until('the quick one has all', () => quick.told.length === n);
      return count() === 1;
    });
    expect(quick.told.map(({ seq }) => seq)).toEqual(Array.from({ length: n }, (_, i) => i + 1));
    slow.socket.resume();
    expect(await slow.closed).toBe(1013);
  });

  test('a server that ends says so', async () => {
    const { subscribe, end } = await serveAll(changing().service);
    const { closed } = await subscribe();
    await end();
    expect(await closed).toBe(1001);
  });
});
