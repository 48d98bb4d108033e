import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Response } from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { type EventStream, openEventStream } from '../../src/api/event-stream.ts';

/** A server that gives every caller to `use`, and one caller of it. */
async function serve(use: (stream: EventStream, response: Response) => unknown, heartbeatMs?: number) {
  const app = express().get('/', (_request, response) => void use(openEventStream(response, heartbeatMs), response));
  const server = createServer(app).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  request.on('error', () => {});
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => {});
  return { request, response };
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return text;
}

test('events have an id, a name and data; text goes line by line, and no line break gets out of its field', async () => {
  const { response } = await serve(async (stream) => {
    await stream.send({ id: '1', event: 'output', data: { text: 'a\nb' } });
    await stream.send({ data: 'one\r\ntwo\rthree\n' });
    await stream.send({ id: '2\ndata: forged', event: 'x\r\ny', data: '' });
    stream.close();
  });
  expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
  expect(await textOf(response)).toBe(
    'id: 1\nevent: output\ndata: {"text":"a\\nb"}\n\n' +
      'data: one\ndata: two\ndata: three\ndata: \n\n' +
      'id: 2 data: forged\nevent: x  y\ndata: \n\n',
  );
});

test('a reader that takes nothing is waited for, and one that has gone is not', async () => {
  let sent = 0;
  let ended: Promise<number> | undefined;
  const { request } = await serve((stream) => {
    ended = (async () => {
      for (; !stream.gone.aborted && sent < 10_000; sent++) await stream.send({ data: 'x'.repeat(100_000) });
      return sent;
    })();
  });
  // The client reads nothing: what its and our buffers hold is sent, and no more.
  let before = -1;
  while (sent !== before) {
    before = sent;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  request.destroy();
  expect(await ended).toBeLessThan(1_000);
});

test('a stream that has nothing to say says that it lives', async () => {
  const { response, request } = await serve(() => {}, 20);
  const [chunk] = (await once(response, 'data')) as [Buffer];
  expect(chunk.toString()).toBe(':\n\n');
  request.destroy();
});
