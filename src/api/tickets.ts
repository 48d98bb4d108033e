import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Router } from 'express';
import { z } from 'zod';
import { Fault } from '../faults.ts';
import { type Caller, mustHave } from '../service/caller.ts';
import { otherMethods } from './addresses.ts';
import { callerIn } from './locals.ts';
import { documented, json, type Operation } from './openapi/operation.ts';
import { chatId } from './shapes/pipeline.ts';
import { time } from './shapes/plan-state.ts';

/** What a ticket stands for: who asked for it, by which request. */
export interface Admission {
  caller: Caller;
  request: IncomingMessage;
}

export interface Tickets {
  give(admission: Admission): { ticket: string; expires_at: string };
  /** Once, and in time; throws UNAUTHENTICATED. */
  take(ticket: string): Admission;
}

const VALID_MS = 30_000;
/** As many as may wait to be used; older ones give way. */
const MOST = 10_000;

/** Browsers cannot send a header with a WebSocket: without a session they fetch a ticket with it, and show that instead, once. */
export function ticketOffice(validMs = VALID_MS): Tickets {
  const waiting = new Map<string, Admission & { until: number }>();
  return {
    give(admission) {
      const now = Date.now();
      // In order of their end.
      for (const [ticket, { until }] of waiting) if (until <= now || waiting.size >= MOST) waiting.delete(ticket);
      const ticket = randomBytes(32).toString('base64url');
      waiting.set(ticket, { ...admission, until: now + validMs });
      return { ticket, expires_at: new Date(now + validMs).toISOString() };
    },
    take(ticket) {
      const found = waiting.get(ticket);
      waiting.delete(ticket);
      if (!found || found.until <= Date.now())
        throw new Fault('UNAUTHENTICATED', 'the ticket is unknown, used or expired; POST /api/ws/ticket gives another');
      return found;
    },
  };
}

export function ticketRoutes(tickets: Tickets): Router {
  const router = Router();
  router
    .route('/api/ws/ticket')
    .post(documented(OPERATIONS.ticket), (request, response) => {
      const caller = callerIn(response);
      mustHave(caller, 'plan:read');
      response.status(201).set('Cache-Control', 'no-store').json(tickets.give({ caller, request }));
    })
    .all(otherMethods);
  router
    .route('/api/ws')
    .get(documented(OPERATIONS.socket), () => {
      throw new Fault('UPGRADE_REQUIRED', 'this address is a WebSocket: ask for it with `Upgrade: websocket`');
    })
    .all(otherMethods);
  return router;
}

const OPERATIONS = {
  ticket: {
    tag: 'story',
    summary: 'A ticket with which a browser opens the WebSocket, once',
    answers: {
      201: {
        description: 'It',
        content: json(z.object({ ticket: z.string(), expires_at: time }).meta({ id: 'Ticket' })),
      },
    },
  },
  socket: {
    tag: 'story',
    summary: 'A WebSocket that tells every change of state of the organisation’s plans',
    query: z.strictObject({
      ticket: z.string().optional().describe('In place of the `Authorization` header or a session'),
      chatId: chatId.optional().describe('Tell what happens in this chat instead, as `/agents/events` does'),
    }),
    description: 'Each message is `{type: "EVT_PLAN_STATE_CHANGED", org_id, plan_id, state, seq, at}`.',
    answers: { 101: { description: 'The connection is a WebSocket from here on' } },
    faults: ['UPGRADE_REQUIRED'],
  },
} satisfies Record<string, Operation>;
