import { type Request, Router } from 'express';
import { z } from 'zod';
import { Fault } from '../faults.ts';
import type { Surface } from '../plan/execute-session.ts';
import type { SessionName } from '../service/execute/parts.ts';
import { parseRequest } from '../service/parse-request.ts';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import { sendAnswer } from './execute.ts';
import { openLastingStream, type StreamEnds } from './lasting-stream.ts';
import { callerIn } from './locals.ts';
import { documented, events, json, type Operation } from './openapi/operation.ts';
import { sendEvents } from './plan-events.ts';
import { operationDetails, operationList, operationRows, programAnswer } from './shapes/program.ts';
import { wholeNumber } from './whole-number.ts';

const OF_SURFACE = {
  surface: z.enum(['http', 'mcp']).optional().describe('Of which kind of session: `http` unless said'),
};
const surfaceQuery = z.strictObject(OF_SURFACE);
const listQuery = z.strictObject({
  ...OF_SURFACE,
  before: z
    .string()
    .regex(/^(\d{1,9}|s\d{1,9}_o\d{1,9})$/, 'has to be `next_before` of the page before, or the handle of an operation')
    .transform((text) => (text.startsWith('s') ? text : Number(text)))
    .optional()
    .describe('Only those before it: `next_before` of the page before, or a handle'),
  limit: wholeNumber({ minimum: 1, maximum: 50 }).optional().describe('At most so many'),
});
const rowsQuery = z.strictObject({
  ...OF_SURFACE,
  offset: wholeNumber({ minimum: 0 }).optional().describe('From which row on; the first is 0'),
  limit: wholeNumber({ minimum: 1, maximum: 1_000 }).optional().describe('At most so many'),
  of: z.string().optional().describe('Of which result, by its label; the first unless said'),
});
const streamQuery = z.strictObject({
  ...OF_SURFACE,
  after: wholeNumber({ minimum: 0 })
    .optional()
    .describe('As `Last-Event-ID`, which comes first, for those who cannot send it: what follows this line is told'),
});

interface Params {
  prompt_hash: string;
  session: string;
}
const sessionOf = ({ prompt_hash, session }: Params, surface: Surface = 'http'): SessionName => ({
  prompt_hash,
  session,
  surface,
});
/** What all of them are asked with. */
const sessionIn = ({ params, query }: Request): SessionName =>
  sessionOf(params as unknown as Params, parseRequest(surfaceQuery, query).surface);

/** Operations of a session: how they stand, what they have kept, and what they tell as they go on. */
export function operationRoutes(service: PlanService, ends: StreamEnds): Router {
  const { execute } = service;
  const router = Router();
  router
    .route('/execute/:prompt_hash/:session/operations')
    .get(documented(OPERATIONS.list), async (request, response) => {
      const { surface, ...page } = parseRequest(listQuery, request.query);
      response.json(await execute.operations(callerIn(response), sessionOf(request.params, surface), page));
    })
    .all(otherMethods);
  router
    .route('/execute/:prompt_hash/:session/operations/:handle')
    .get(documented(OPERATIONS.read), async (request, response) => {
      response.json(await execute.operation(callerIn(response), sessionIn(request), request.params.handle));
    })
    .all(otherMethods);
  router
    .route('/execute/:prompt_hash/:session/operations/:handle/rows')
    .get(documented(OPERATIONS.rows), async ({ params, query }, response) => {
      const { surface, offset = 0, limit, of } = parseRequest(rowsQuery, query);
      const asked = { offset, limit, of };
      response.json(await execute.rows(callerIn(response), sessionOf(params, surface), params.handle, asked));
    })
    .all(otherMethods);
  router
    .route('/execute/:prompt_hash/:session/operations/:handle/cancel')
    .post(documented(OPERATIONS.cancel), async (request, response) => {
      const { handle } = request.params;
      sendAnswer(request, response, await execute.cancel(callerIn(response), sessionIn(request), handle));
    })
    .all(otherMethods);
  router
    .route('/execute/:prompt_hash/:session/operations/:handle/stream')
    .get(documented(OPERATIONS.stream), async (request, response) => {
      const caller = callerIn(response);
      const { handle } = request.params;
      const { surface, after: from } = parseRequest(streamQuery, request.query);
      const session = sessionOf(request.params, surface);
      const after = lastLine(request) ?? from;
      // A stream that has begun cannot be refused any more.
      const follow = await execute.follow(caller, session, handle);
      const { phase, op } = await execute.operation(caller, session, handle);
      // By this an EventSource, which comes again after every end, knows that there is no more.
      if (phase !== 'running' && after !== undefined && after >= op.n) return void response.status(204).end();
      if (request.method === 'HEAD') return void response.type('text/event-stream').end();
      const stream = openLastingStream(request, response, ends);
      for await (const { event, line, n } of follow({ after, signal: stream.gone }))
        await stream.send({ id: String(n), event, data: line });
      stream.close();
    })
    .all(otherMethods);
  router
    .route('/execute/:prompt_hash/:session/operations/:handle/timeline')
    .get(documented(OPERATIONS.timeline), async (request, response) => {
      const { handle } = request.params;
      const { plan_id } = await execute.operation(callerIn(response), sessionIn(request), handle);
      await sendEvents(service, ends, { planId: plan_id, after: request.get('last-event-id') }, request, response);
    })
    .all(otherMethods);
  return router;
}

function lastLine(request: Request): number | undefined {
  const id = request.get('last-event-id');
  if (!id) return undefined;
  if (!/^\d{1,9}$/.test(id))
    throw new Fault('REQUEST_INVALID', `Last-Event-ID: "${id.slice(0, 80)}" is not an id of this stream`);
  return Number(id);
}

const OPERATIONS = {
  list: {
    tag: 'programs',
    summary: 'The operations of a session',
    query: listQuery,
    answers: { 200: { description: 'None of a session that is not there', content: json(operationList) } },
    faults: ['HANDLE_NOT_FOUND'],
  },
  read: {
    tag: 'programs',
    summary: 'How an operation stands',
    query: surfaceQuery,
    answers: { 200: { description: 'Now', content: json(operationDetails) } },
  },
  rows: {
    tag: 'programs',
    summary: 'Rows that an operation has kept',
    description: 'Also while it runs, and of one that was cancelled or failed.',
    query: rowsQuery,
    answers: { 200: { description: 'A page of them', content: json(operationRows) } },
    faults: ['OUTPUT_GONE'],
  },
  cancel: {
    tag: 'programs',
    summary: 'Cancel an operation, and keep what it has read',
    description: 'As the program `cancel(…)`: nothing changes when it has ended.',
    query: surfaceQuery,
    answers: {
      200: {
        description: 'How it stands',
        content: { 'text/markdown': { schema: z.string() }, ...json(programAnswer) },
      },
    },
  },
  stream: {
    tag: 'programs',
    summary: 'The lines of an operation as it tells them, as server-sent events',
    description:
      '`data` is the plain line. First `snapshot`, the last line so far; then `progress`; then `terminal`, and the stream ends. The `id` of each is its number: with `Last-Event-ID` what follows that is told, without a snapshot.',
    query: streamQuery,
    headers: ['Last-Event-ID'],
    answers: {
      200: { description: 'Lines', content: events },
      204: { description: 'All has been told' },
    },
  },
  timeline: {
    tag: 'programs',
    summary: 'What happens in the plan of an operation, for operators, as server-sent events',
    description: 'As `/api/plans/{id}/events` of its plan.',
    query: surfaceQuery,
    headers: ['Last-Event-ID'],
    answers: {
      200: { description: 'Events; the `id` of each is its `seq`', content: events },
      204: { description: 'All has been told' },
    },
    faults: ['PLAN_NOT_FOUND'],
  },
} satisfies Record<string, Operation>;
