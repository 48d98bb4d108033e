import { Router } from 'express';
import { z } from 'zod';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import { jsonBody, readBody } from './body.ts';
import { callerIn } from './locals.ts';
import { parseRequest } from './parse-request.ts';

const runBody = z.strictObject({ mode: z.enum(['resume', 'retry']) });

/** The next run of a plan that failed or was stopped. */
export function runRoutes(service: PlanService): Router {
  const router = Router();
  router
    .route('/api/plans/:id/runs')
    .post(readBody, async (request, response) => {
      const body = parseRequest(runBody, jsonBody(request) ?? {});
      const started = await service.nextRun(callerIn(response), request.params.id, body);
      response.status(202).location(`/api/plans/${started.plan_id}`).json(started);
    })
    .all(otherMethods);
  return router;
}
