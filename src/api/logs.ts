import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { Fault } from '../faults.ts';
import type { LogPosition } from '../service/follow-logs.ts';
import { parseRequest } from '../service/parse-request.ts';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import { openLastingStream, type StreamEnds } from './lasting-stream.ts';
import { callerIn } from './locals.ts';
import { documented, events, json, type Operation } from './openapi/operation.ts';
import { logs } from './shapes/kept.ts';
import { wholeNumber } from './whole-number.ts';

const number = (what: string) => wholeNumber({ minimum: 0 }).optional().describe(what);
const logQuery = z.strictObject({
  run: number('Of which run; the last that wrote, unless said'),
  attempt: number('Of which attempt; the last, unless said'),
  dispatch: number('Of which dispatch of the attempt; the last, unless said'),
  offset: number('From which byte'),
  tail: number('So many last lines'),
});

interface Asked extends z.infer<typeof logQuery> {
  id: string;
  task: string;
}
type Answer = (
  service: PlanService,
  asked: Asked,
  request: Request,
  response: Response,
  ends: StreamEnds,
) => Promise<void>;

/** By what the caller accepts; the first is for those who do not say. */
const ANSWERS: Record<string, Answer> = {
  'text/plain': sendText,
  'application/json': sendList,
  'text/event-stream': sendNews,
};

/** What a task wrote: as text, as a list of its attempts, or live. */
export function logRoutes(service: PlanService, ends: StreamEnds): Router {
  const router = Router();
  router
    .route('/api/plans/:id/tasks/:task/logs')
    .get(documented(operation), async (request, response) => {
      const asked = { ...parseRequest(logQuery, request.query), ...request.params };
      const type = request.accepts(Object.keys(ANSWERS)) || 'text/plain';
      response.vary('Accept');
      await ANSWERS[type]!(service, asked, request, response, ends);
    })
    .all(otherMethods);
  return router;
}

/** The bytes as they were written. */
async function sendText(service: PlanService, { id, ...asked }: Asked, request: Request, response: Response) {
  const open = await service.openLog(callerIn(response), id, asked);
  response.type('text/plain; charset=utf-8');
  if (open) response.set({ 'Holdpoint-Log': nameOf(open.log), 'Holdpoint-Offset': String(open.from) });
  if (!open || request.method === 'HEAD') return void response.end();
  await pipeline(Readable.from(open.read()), response).catch((error: unknown) => {
    if (!request.destroyed && !response.destroyed) throw error;
  });
}

async function sendList(
  service: PlanService,
  { id, task, run, attempt, dispatch }: Asked,
  _: Request,
  response: Response,
) {
  const logs = await service.logs(callerIn(response), id, { task, run });
  const fits = (log: { attempt: number; dispatch: number }) =>
    (attempt === undefined || log.attempt === attempt) && (dispatch === undefined || log.dispatch === dispatch);
  response.json({ attempts: logs.filter(fits) });
}

/** Server-sent events; who comes again with `Last-Event-ID` gets what follows it. */
async function sendNews(
  service: PlanService,
  { id, task, run, attempt, tail }: Asked,
  request: Request,
  response: Response,
  ends: StreamEnds,
) {
  const caller = callerIn(response);
  const seen = positionsIn(request.get('last-event-id'), task);
  // A stream that has begun cannot be refused any more.
  await service.logs(caller, id, { task });
  const stream = openLastingStream(request, response, ends);
  if (request.method === 'HEAD') return stream.close();
  for await (const news of service.followLogs(caller, id, { task, run, attempt, tail, seen, signal: stream.gone })) {
    const { is, ...data } = news;
    await stream.send({ ...(news.is === 'output' && { id: `${nameOf(news)}:${news.next}` }), event: is, data });
  }
  stream.close();
}

const nameOf = ({ run, attempt, dispatch, again }: Omit<LogPosition, 'offset' | 'task'>): string =>
  `${run}.${attempt}.${dispatch}${again ? `-${again}` : ''}`;

function positionsIn(id: string | undefined, task: string): LogPosition[] | undefined {
  if (!id) return undefined;
  const [, run, attempt, dispatch, again, offset] = /^(\d+)\.(\d+)\.(\d+)(?:-(\d+))?:(\d+)$/.exec(id) ?? [];
  if (offset === undefined)
    throw new Fault('REQUEST_INVALID', `Last-Event-ID: "${id.slice(0, 80)}" is not an id of this stream`);
  const [r, a, d, o] = [run, attempt, dispatch, offset].map(Number) as [number, number, number, number];
  return [{ task, run: r, attempt: a, dispatch: d, offset: o, ...(again && { again: Number(again) }) }];
}

const operation: Operation = {
  tag: 'story',
  summary: 'What a task wrote: as text, as a list of its attempts, or live',
  description: 'Which of them, `Accept` says.',
  query: logQuery,
  headers: ['Last-Event-ID'],
  answers: {
    200: {
      description: 'What is there',
      headers: ['Holdpoint-Log', 'Holdpoint-Offset'],
      content: {
        'text/plain': { schema: z.string() },
        ...json(logs),
        ...events,
      },
    },
  },
  faults: ['TASK_NOT_FOUND', 'OUTPUT_NOT_FOUND'],
};
