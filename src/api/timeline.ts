import { Router } from 'express';
import { z } from 'zod';
import { parseRequest } from '../service/parse-request.ts';
import type { PlanService } from '../service/service.ts';
import type { Timeline } from '../service/timeline.ts';
import { otherMethods } from './addresses.ts';
import { callerIn } from './locals.ts';
import { documented, json, type Operation } from './openapi/operation.ts';
import { timeline } from './shapes/event.ts';
import { wholeNumber } from './whole-number.ts';

const timelineQuery = z.strictObject({
  after: wholeNumber({ minimum: 0 }).optional().describe('Only entries after this one'),
  after_seq: wholeNumber({ minimum: 0 }).optional().describe('What `after` was called before'),
  limit: z
    .string()
    .regex(/^([1-9]\d{0,3}|10000)$/, 'has to be a whole number from 1 to 10000')
    .transform(Number)
    .optional()
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: 10_000,
      description: 'A page of so many entries; all of them without it',
    }),
});

/** Who did what and when, over all runs of the plan. */
export function timelineRoutes(service: PlanService): Router {
  const router = Router();
  router
    .route('/api/plans/:id/timeline')
    .get(documented(operation), async (request, response) => {
      const { after, after_seq, limit } = parseRequest(timelineQuery, request.query);
      const wanted = { after: after ?? after_seq ?? 0, ...(limit !== undefined && { limit }) };
      const { entries, next_after } = await service.timeline(callerIn(response), request.params.id, wanted);
      response.json({ entries: entries.map(eventView), ...(limit !== undefined && { next_after }) });
    })
    .all(otherMethods);
  return router;
}

/** As it is sent: times are ISO 8601. */
export const eventView = (entry: Timeline['entries'][number]) =>
  'at' in entry ? { ...entry, at: new Date(entry.at).toISOString() } : entry;

const operation: Operation = {
  tag: 'story',
  summary: 'Who did what and when, over all runs of the plan',
  query: timelineQuery,
  answers: { 200: { description: 'Its entries in order', content: json(timeline) } },
};
