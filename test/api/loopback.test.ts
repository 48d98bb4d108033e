import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { localCaller } from '../../src/service/caller.ts';
import { PLAN, serve } from './serve.ts';

describe('without authentication', () => {
  test.each([
    ['127.0.0.1', 200],
    ['127.8.8.8:1', 200],
    ['localhost:8420', 200],
    ['LocalHost', 200],
    ['[::1]:8420', 200],
    ['[::1]', 200],
    ['evil.example', 403],
    ['evil.example:8420', 403],
    ['localhost.evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['192.168.1.7:8420', 403],
    ['[::2]:8420', 403],
  ])('Host "%s" is %i', async (host, status) => {
    const { ask, calls } = await serve();
    for (const path of ['/api/plans', '/healthz', '/metrics']) {
      const answer = await ask(`GET ${path}`, { headers: { host } });
      expect(answer.status).toBe(status);
      if (status === 403) expect(answer.json.code).toBe('PLAN_FORBIDDEN');
    }
    expect(calls.length).toBe(status === 200 ? 1 : 0);
  });

  test.each([
    ['POST', 'http://localhost:8420', 201],
    ['POST', 'https://localhost:8420', 201],
    ['POST', 'http://localhost:8420.evil.example', 403],
    ['POST', 'http://localhost:3000', 403],
    ['POST', 'https://evil.example', 403],
    ['POST', 'null', 403],
    ['POST', '', 403],
    ['GET', 'https://evil.example', 200],
  ])('%s from a page of "%s" is %i', async (method, origin, status) => {
    const { ask, calls } = await serve();
    const headers = { host: 'localhost:8420', origin, 'content-type': 'text/plain' };
    const answer = await ask(`${method} /api/plans`, { headers, body: method === 'POST' ? PLAN : undefined });
    expect(answer.status).toBe(status);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    expect(calls.length).toBe(status === 403 ? 0 : 1);
  });
});

test.each(['GET /healthz HTTP/1.0', 'GET /healthz HTTP/1.1\r\nhost:'])('%j without a host is 403', async (request) => {
  const { port } = await serve();
  const socket = connect(port, '127.0.0.1');
  socket.write(`${request}\r\nconnection: close\r\n\r\n`);
  expect(await text(socket)).toMatch(/^HTTP\/1.1 403 .*PLAN_FORBIDDEN/s);
});

test('with authentication any host is served, and the caller is who it says', async () => {
  const seen: string[] = [];
  const callerOf = async () => ({ ...localCaller('rest'), principal: { id: 'ada', name: 'Ada', org_id: 'acme' } });
  const list = async ({ principal }: Awaited<ReturnType<typeof callerOf>>) => {
    seen.push(principal.id);
    return { plans: [], next_cursor: null };
  };
  const { ask, log } = await serve({ list }, { callerOf });
  expect((await ask('GET /api/plans', { headers: { host: 'plans.example' } })).status).toBe(200);
  expect(seen).toEqual(['ada']);
  expect(log).toMatchObject([{ by: 'ada' }]);
});
