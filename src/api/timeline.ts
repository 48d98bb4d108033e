import { Router } from 'express';
import { z } from 'zod';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import { callerIn } from './locals.ts';
import { parseRequest } from './parse-request.ts';

const timelineQuery = z.strictObject({
  after_seq: z.string().regex(/^\d+$/, 'has to be a whole number').transform(Number).default(0),
});

/** Who did what and when, over all runs of the plan. */
export function timelineRoutes(service: PlanService): Router {
  const router = Router();
  router
    .route('/api/plans/:id/timeline')
    .get(async (request, response) => {
      const { after_seq } = parseRequest(timelineQuery, request.query);
      const events = await service.events(callerIn(response), request.params.id, after_seq);
      response.json({ entries: events.map((event) => ({ ...event, at: new Date(event.at).toISOString() })) });
    })
    .all(otherMethods);
  return router;
}
