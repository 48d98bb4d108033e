import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createHttpServer, type SERVER_LIMITS } from '../../src/engine/http-server.ts';

/** Nothing is cut off: what ends does so by itself. */
const FOR_EVER_MS = 600_000;
const QUICK = { headersTimeout: 50, requestTimeout: 100, connectionsCheckingInterval: 10 };

async function listening(app: RequestListener, limits: Partial<typeof SERVER_LIMITS> = {}) {
  const { server, drain } = createHttpServer(app, limits);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { server, drain, port };
}

describe('a peer that takes its time', () => {
  test.each([
    ['in the middle of its headers', 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    ['in the middle of its body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{'],
  ])('%s is cut off', async (_, sent) => {
    const { port } = await listening((request) => void request.resume(), QUICK);
    const socket = connect(port, '127.0.0.1');
    socket.write(sent);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('does not keep others from being served', async () => {
    const { port } = await listening((_, response) => void response.end('ok'));
    const slow = Array.from({ length: 200 }, () => connect(port, '127.0.0.1').setNoDelay());
    for (const socket of slow) socket.write('GET / HTTP/1.1\r\nX-Slow: ');
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('ok');
    for (const socket of slow) socket.destroy();
  });

  test('may wait for its answer as long as it likes', async () => {
    const { port, server } = await listening((_, response) => {
      response.write('first');
      server.on('told', () => response.end(', last'));
    }, QUICK);
    const [answer] = (await once(get({ port }), 'response')) as [IncomingMessage];
    // A peer that sends half a request after it is cut off first: then the limits have passed for the answer too.
    const slow = connect(port, '127.0.0.1');
    slow.write('GET / HTTP/1.1\r\nX-Slow: ');
    await text(slow);
    server.emit('told');
    expect(await text(answer)).toBe('first, last');
  });
});

test.each([
  ['what is no request', 'GARBAGE\r\n\r\n', 400, 'REQUEST_MALFORMED'],
  ['a request without a host', 'GET / HTTP/1.1\r\n\r\n', 400, 'REQUEST_MALFORMED'],
  [
    'lengths that differ',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx',
    400,
    'REQUEST_MALFORMED',
  ],
  [
    'an unknown expectation',
    'POST / HTTP/1.1\r\nHost: x\r\nExpect: magic\r\nContent-Length: 0\r\n\r\n',
    417,
    'EXPECTATION_FAILED',
  ],
  [
    'headers that are too large',
    `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`,
    431,
    'HEADERS_TOO_LARGE',
  ],
  ['half a request', 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ', 408, 'REQUEST_TIMEOUT'],
])('%s is answered as a problem, and reaches nobody', async (_, sent, status, code) => {
  let reached = 0;
  const { port } = await listening(() => void reached++, status === 408 ? QUICK : {});
  const socket = connect(port, '127.0.0.1');
  socket.write(sent);
  const [head, body] = (await text(socket)).split('\r\n\r\n') as [string, string];
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\r\nContent-Type: application/problem\\+json\r\n`, 's'));
  expect([JSON.parse(body.replace(/^[0-9a-f]+\r\n|\r\n0$/g, '')), reached]).toMatchObject([{ status, code }, 0]);
});

test('headers past the limit are refused', async () => {
  const { port } = await listening((_, response) => void response.end());
  const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { 'x-large': 'x'.repeat(17 * 1_024) } });
  expect(answer.status).toBe(431);
});

describe('at its end', () => {
  test('what is under way is answered, kept connections are closed, and new ones refused', async () => {
    let answer: (() => void) | undefined;
    const { port, drain } = await listening((request, response) => {
      if (request.url === '/quick') response.end('quick');
      else answer = () => response.end('answered');
    });
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const [quick] = (await once(get({ port, path: '/quick', agent }), 'response')) as [IncomingMessage];
    expect(await text(quick)).toBe('quick');
    const slow = get({ port, path: '/slow', agent });
    const responded = once(slow, 'response') as Promise<[IncomingMessage]>;
    await expect.poll(() => answer).toBeDefined();

    const drained = drain(FOR_EVER_MS);
    const [error] = await once(get({ port, agent: false }), 'error');
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    answer!();
    expect(await text((await responded)[0])).toBe('answered');
    await drained;
  });

  test('a request that was being sent is answered, and its connection closed', async () => {
    const { server, port, drain } = await listening((_, response) => void response.end('ok'));
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
    await once(server, 'connection');
    // The server has read the first half when it has answered somebody who came later.
    await text((await once(get({ port, agent: false }), 'response'))[0]);
    const drained = drain(FOR_EVER_MS);
    socket.write('\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .*\r\nConnection: close\r\n.*ok/s);
    await drained;
  });

  test('what never ends is cut off', async () => {
    const { port, drain } = await listening((_, response) => void response.write('for ever'));
    const [answer] = (await once(get({ port }), 'response')) as [IncomingMessage];
    await drain();
    await expect(text(answer)).rejects.toThrow(/aborted/);
  });
});
