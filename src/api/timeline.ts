import { Router } from 'express';
import { z } from 'zod';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import { callerIn } from './locals.ts';
import { documented, json, type Operation } from './openapi/operation.ts';
import { parseRequest } from './parse-request.ts';
import { timeline } from './shapes/event.ts';
import { wholeNumber } from './whole-number.ts';

const timelineQuery = z.strictObject({
  after_seq: wholeNumber({ minimum: 0 }).default(0).describe('Only entries after this one'),
});

/** Who did what and when, over all runs of the plan. */
export function timelineRoutes(service: PlanService): Router {
  const router = Router();
  router
    .route('/api/plans/:id/timeline')
    .get(documented(operation), async (request, response) => {
      const { after_seq } = parseRequest(timelineQuery, request.query);
      const events = await service.events(callerIn(response), request.params.id, after_seq);
      response.json({ entries: events.map((event) => ({ ...event, at: new Date(event.at).toISOString() })) });
    })
    .all(otherMethods);
  return router;
}

const operation: Operation = {
  tag: 'story',
  summary: 'Who did what and when, over all runs of the plan',
  query: timelineQuery,
  answers: { 200: { description: 'Its entries in order', content: json(timeline) } },
};
