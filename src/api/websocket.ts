import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { type WebSocket, WebSocketServer } from 'ws';
import { isLoopback } from '../config.ts';
import { asFault, FAULTS, Fault } from '../faults.ts';
import { isOf } from '../origin.ts';
import { chatKey } from '../service/agents/chat-id.ts';
import { type Caller, mustHave } from '../service/caller.ts';
import type { StateChange } from '../service/hub/organisation.ts';
import type { PlanService } from '../service/service.ts';
import type { CallerOf } from './authenticate.ts';
import { HEADERS, problemOf } from './errors.ts';
import { nameIn } from './loopback.ts';
import type { CallerWatch } from './still-allowed.ts';
import type { Admission, Tickets } from './tickets.ts';
import { takeUpgrades } from './upgrade.ts';

export interface WebSocketOptions {
  service: PlanService;
  logger: Logger;
  tickets: Tickets;
  callerOf: CallerOf;
  /** There is no authentication: only this machine is served. */
  loopbackOnly: boolean;
  /** Origins of pages that may connect, besides those of this server. */
  allowedOrigins: readonly string[];
  watch: CallerWatch;
  pingMs?: number;
}

/** Codes of the WebSocket protocol, and one of the range that is for applications. */
const GOING_AWAY = 1001;
const TRY_AGAIN_LATER = 1013;
const UNAUTHENTICATED = 4401;
/** Nobody has anything to say here. */
const MAX_MESSAGE_BYTES = 1_024;
/** Unsent bytes at which a subscriber is given up: it connects again and reads how its plans stand. */
const MAX_UNSENT_BYTES = 1_048_576;
const PING_MS = 30_000;
/** How long the peers have for their side of the closing. */
const CLOSE_MS = 500;

/** `/api/ws`: tells every subscriber each change of state of its organisation's plans, or with `chatId` what happens in a chat. Gives what closes all of them. */
export function serveWebSocket(server: Server, options: WebSocketOptions): () => Promise<void> {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false });
  sockets.on('wsClientError', ({ message }, socket, request) => {
    const code = message.includes('Sec-WebSocket-Version') ? 'UPGRADE_REQUIRED' : 'REQUEST_INVALID';
    refuse(request, socket, new Fault(code, `the WebSocket's handshake: ${message}`), options.logger);
  });
  takeUpgrades(server, '/api/ws', async (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    try {
      const admission = await admit(request, options);
      const chatId = queryOf(request).get('chatId');
      if (chatId !== null) chatKey(chatId);
      sockets.handleUpgrade(request, socket, head, (peer) => attend(peer, admission, options, chatId));
    } catch (error) {
      refuse(request, socket, asFault(error), options.logger);
    }
  });
  return async () => {
    for (const peer of sockets.clients) peer.close(GOING_AWAY, 'the server ends');
    const late = setTimeout(() => {
      for (const peer of sockets.clients) peer.terminate();
    }, CLOSE_MS);
    await Promise.all(Array.from(sockets.clients, (peer) => new Promise((resolve) => peer.once('close', resolve))));
    clearTimeout(late);
  };
}

/** Who comes is settled before the upgrade. A browser names the page that connects, and lets any page try. */
async function admit(request: IncomingMessage, options: WebSocketOptions): Promise<Admission> {
  const { loopbackOnly, allowedOrigins, tickets, callerOf, watch } = options;
  const { host = '', origin } = request.headers;
  if (loopbackOnly && !isLoopback(nameIn(host)))
    throw new Fault('PLAN_FORBIDDEN', 'without authentication only this machine is served');
  if (origin !== undefined && !isOf(origin, host) && !allowedOrigins.includes(origin))
    throw new Fault('PLAN_FORBIDDEN', `pages of "${origin.slice(0, 200)}" may not connect here`);
  const ticket = queryOf(request).get('ticket');
  const admission = ticket === null ? { caller: await callerOf(request), request } : tickets.take(ticket);
  // The key that the ticket was given for may be gone since.
  const lost = ticket !== null && (await watch.lost(admission.request, admission.caller));
  if (lost) throw lost;
  mustHave(admission.caller, 'plan:read');
  return admission;
}

const queryOf = ({ url }: IncomingMessage) => new URLSearchParams(url?.split('?')[1]);

function refuse(request: IncomingMessage, socket: Duplex, fault: Fault, logger: Logger): void {
  const request_id = randomUUID();
  if (fault.code === 'INTERNAL') logger.error({ request_id, err: fault.cause ?? fault }, 'internal error');
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Parameters<ServerResponse['assignSocket']>[0]);
  response.writeHead(FAULTS[fault.code].http, { 'Content-Type': 'application/problem+json', ...HEADERS[fault.code] });
  response.end(JSON.stringify(problemOf(fault, request_id)), () => socket.destroy());
}

function attend(
  peer: WebSocket,
  { caller, request }: Admission,
  options: WebSocketOptions,
  chatId: string | null,
): void {
  const { service, logger, watch, pingMs = PING_MS } = options;
  let alive = true;
  const tell = (message: object) => {
    peer.send(JSON.stringify(message));
    if (peer.bufferedAmount <= MAX_UNSENT_BYTES) return;
    unsubscribe();
    peer.close(TRY_AGAIN_LATER, 'too slow: connect again and read how the plans stand');
  };
  const unsubscribe =
    chatId === null
      ? service.subscribe(caller, (change) => tell(messageOf(change)))
      : followChat(options, caller, chatId, tell, () => peer.close(TRY_AGAIN_LATER, 'connect again'));
  const unwatch = watch.over(request, caller, () => peer.close(UNAUTHENTICATED, 'no longer signed in'));
  const pings = setInterval(() => {
    if (!alive) return peer.terminate();
    alive = false;
    peer.ping();
  }, pingMs);
  peer.on('pong', () => {
    alive = true;
  });
  peer.once('message', () =>
    peer.send(
      JSON.stringify({ type: 'error', code: 'REQUEST_INVALID', message: 'nothing is taken here; it only tells' }),
    ),
  );
  peer.on('error', (error) => logger.debug({ err: error }, 'websocket'));
  peer.on('close', () => {
    clearInterval(pings);
    unwatch();
    unsubscribe();
  });
}

/** The same as `/agents/events` tells; gives what ends it. */
function followChat(
  { service, logger }: WebSocketOptions,
  caller: Caller,
  chatId: string,
  tell: (message: object) => void,
  broken: () => void,
): () => void {
  const ended = new AbortController();
  const following = async () => {
    for await (const event of service.agents.follow(caller, chatId, ended.signal)) {
      if (ended.signal.aborted) return;
      tell(event);
    }
  };
  following().catch((error: unknown) => {
    logger.warn({ err: error, chat_id: chatId }, 'a chat cannot be followed now');
    broken();
  });
  return () => ended.abort();
}

const messageOf = ({ org_id, plan_id, state, seq, at }: StateChange) => ({
  type: 'EVT_PLAN_STATE_CHANGED',
  org_id,
  plan_id,
  state,
  seq,
  at: new Date(at).toISOString(),
});
