import { Router } from 'express';
import { z } from 'zod';
import type { PlanService } from '../service/service.ts';
import type { Timeline } from '../service/timeline.ts';
import { otherMethods } from './addresses.ts';
import { callerIn } from './locals.ts';
import { parseRequest } from './parse-request.ts';

const wholeNumber = z.string().regex(/^\d{1,15}$/, 'has to be a whole number');
const timelineQuery = z.strictObject({
  after: wholeNumber.transform(Number).optional(),
  /** What `after` was called before. */
  after_seq: wholeNumber.transform(Number).optional(),
  limit: z
    .string()
    .regex(/^([1-9]\d{0,3}|10000)$/, 'has to be a whole number from 1 to 10000')
    .transform(Number)
    .optional(),
});

/** Who did what and when, over all runs of the plan. */
export function timelineRoutes(service: PlanService): Router {
  const router = Router();
  router
    .route('/api/plans/:id/timeline')
    .get(async (request, response) => {
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
