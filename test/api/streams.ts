import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { Registry } from 'prom-client';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { createApi } from '../../src/api/api.ts';
import { watchCallers } from '../../src/api/still-allowed.ts';
import { ticketOffice } from '../../src/api/tickets.ts';
import { serveWebSocket, type WebSocketOptions } from '../../src/api/websocket.ts';
import { Fault } from '../../src/faults.ts';
import type { Authentication } from '../../src/identity/authentication.ts';
import { mcpOverHttp } from '../../src/mcp/http.ts';
import { type Caller, PERMISSIONS } from '../../src/service/caller.ts';
import type { PlanService } from '../../src/service/service.ts';
import { until } from '../support/world.ts';
import { PLACE } from './serve.ts';

const person = (id: string, org_id: string, permissions: Caller['permissions'] = PERMISSIONS): Caller => ({
  principal: { id, name: id, org_id },
  permissions,
  trigger: 'test',
});
/** Who has which key; a test may take one away. */
export const people = () =>
  new Map<string, Caller>([
    ['ada', person('ada', 'acme')],
    ['eve', person('eve', 'evil')],
    ['bot', person('bot', 'acme', ['plan:create'])],
  ]);

interface AllOptions {
  recheckMs?: number;
  /** In place of the keys of `people`. */
  authentication?: Authentication;
}

/** REST and the WebSocket on one port, as the engine serves them, with keys. */
export async function serveAll(
  service: PlanService,
  { recheckMs, authentication, ...more }: Partial<WebSocketOptions> & AllOptions = {},
) {
  const keys = people();
  const byKeys: WebSocketOptions['callerOf'] = async ({ headers }) => {
    const found = keys.get(String(headers.authorization).replace('Bearer ', ''));
    if (!found) throw new Fault('UNAUTHENTICATED', 'no such key');
    return found;
  };
  const logger = pino({ level: 'silent' });
  const tickets = ticketOffice();
  const changes: (() => void)[] = [];
  const { callerOf, recheck, onChange } = authentication ?? {
    callerOf: byKeys,
    recheck: byKeys,
    onChange: (changed: () => void) => void changes.push(changed),
  };
  const watch = watchCallers({ recheck, onChange, recheckMs });
  const closing = new AbortController();
  const mcp = mcpOverHttp(service, { place: () => PLACE, onInternal() {}, version: '1.2.3' });
  const given = { service, logger, registry: new Registry(), place: () => PLACE, callerOf, tickets, watch, mcp };
  const api = { ...given, sessions: authentication };
  const server = createServer(createApi({ ...api, closing: closing.signal }));
  const options = {
    service,
    logger,
    tickets,
    callerOf,
    watch,
    loopbackOnly: false,
    allowedOrigins: [],
    ...(recheckMs && { pingMs: recheckMs }),
    ...more,
  };
  const closeSockets = serveWebSocket(server, options);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const end = async () => {
    closing.abort();
    server.close();
    await closeSockets();
    server.closeAllConnections();
  };
  onTestFinished(end);

  return {
    url,
    port,
    keys,
    /** The file of keys was read again. */
    keysChanged() {
      for (const changed of changes) changed();
    },
    end,
    call: async (method: string, path: string, key = 'ada', headers: Record<string, string> = {}) =>
      await fetch(url + path, { method, headers: { authorization: `Bearer ${key}`, ...headers } }),

    /** Reads a plan's events to the end of the stream, or until the reader is closed. */
    events(id: string, lastId?: string | number, key = 'ada') {
      const gone = new AbortController();
      onTestFinished(() => gone.abort());
      const seen: Message[] = [];
      let comments = 0;
      const headers = {
        authorization: `Bearer ${key}`,
        accept: 'text/event-stream',
        ...(lastId !== undefined && { 'last-event-id': String(lastId) }),
      };
      const answered = fetch(`${url}/api/plans/${id}/events`, { headers, signal: gone.signal });
      const done = (async () => {
        const answer = await answered;
        let text = '';
        for await (const chunk of answer.body ?? []) {
          text += Buffer.from(chunk as Uint8Array).toString('utf8');
          const parts = text.split('\n\n');
          text = parts.pop()!;
          for (const part of parts) {
            if (part.startsWith(':')) comments += 1;
            else seen.push(messageOf(part));
          }
        }
        return seen;
      })();
      done.catch(() => {});
      return {
        answered,
        done,
        seen,
        ids: () => seen.map(({ id }) => id),
        comments: () => comments,
        close: () => gone.abort(),
        has: (what: string, probe: (message: Message) => boolean) =>
          until(`${what} is sent; ${JSON.stringify(seen.at(-1))}`, () => seen.find(probe)),
      };
    },

    /** A subscriber over the WebSocket, and what it was told. */
    async subscribe(key: string | undefined = 'ada', query = '', headers: Record<string, string> = {}) {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/api/ws${query}`, {
        headers: { ...(key && { authorization: `Bearer ${key}` }), ...headers },
      });
      onTestFinished(() => socket.terminate());
      const told: Told[] = [];
      socket.on('message', (text) => told.push(JSON.parse(String(text)) as Told));
      const closed = new Promise<number>((resolve) => socket.on('close', resolve));
      const refused = new Promise<{ status: number; text: string }>((resolve, reject) => {
        socket.on('unexpected-response', (_request, answer) => {
          let text = '';
          answer.on('data', (chunk) => (text += chunk)).on('end', () => resolve({ status: answer.statusCode!, text }));
        });
        socket.on('error', reject);
      });
      refused.catch(() => {});
      const opened = once(socket, 'open').then(() => undefined);
      const answer = await Promise.race([opened, refused]);
      return { socket, told, closed, refused: answer };
    },
  };
}

export interface Message {
  id?: string;
  event?: string;
  data: Record<string, unknown> & { seq?: number; state?: { status: string }; totals?: object; error?: unknown };
}
export interface Told {
  type: string;
  org_id: string;
  plan_id: string;
  state: { status: string; next_execution_at?: string };
  seq: number;
  at: string;
}

function messageOf(part: string): Message {
  const fields = new Map(part.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line)!.slice(1) as [string, string]));
  const { id, event, data } = Object.fromEntries(fields) as Record<string, string>;
  return { ...(id !== undefined && { id }), ...(event !== undefined && { event }), data: JSON.parse(data!) };
}
