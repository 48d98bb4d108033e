import { Router } from 'express';
import { z } from 'zod';
import { parseRequest } from '../service/parse-request.ts';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import { jsonBody, readBody } from './body.ts';
import { callerIn } from './locals.ts';
import { documented, json, type Operation } from './openapi/operation.ts';

const mode = z.enum(['resume', 'retry']).describe('`resume` keeps finished work, `retry` starts from nothing');
const runBody = z.strictObject({ mode });

/** The next run of a plan that failed or was stopped. */
export function runRoutes(service: PlanService): Router {
  const router = Router();
  router
    .route('/api/plans/:id/runs')
    .post(documented(operation), readBody, async (request, response) => {
      const body = parseRequest(runBody, jsonBody(request));
      const started = await service.nextRun(callerIn(response), request.params.id, body);
      response.status(202).location(`/api/plans/${started.plan_id}`).json(started);
    })
    .all(otherMethods);
  return router;
}

const operation: Operation = {
  tag: 'controls',
  summary: 'Start the next run of a plan that failed or was stopped',
  body: { required: true, content: json(runBody, { mode: 'resume' }) },
  answers: {
    202: {
      description: 'It has been started',
      headers: ['Location'],
      content: json(z.object({ plan_id: z.uuid(), mode })),
    },
  },
  faults: ['PLAN_NOT_RESUMABLE', 'PLAN_TOO_LARGE'],
};
