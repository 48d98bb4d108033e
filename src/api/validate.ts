import { Router } from 'express';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import { readBody } from './body.ts';
import { callerIn } from './locals.ts';
import { documented, json, type Operation } from './openapi/operation.ts';
import { planBody, readPlanRequest } from './plan-request.ts';
import { dryRun as dryRunShape } from './shapes/dry-run.ts';

/** Checks a plan file as creating the plan would, and tells what that would do; makes nothing. */
export function validateRoutes(service: PlanService): Router {
  const router = Router();
  router
    .route('/api/plans/validate')
    .post(documented(operation), readBody, async (request, response) => {
      response.json(await service.validate(callerIn(response), readPlanRequest(request)));
    })
    .all(otherMethods);
  return router;
}

const operation: Operation = {
  tag: 'plans',
  summary: 'Check a plan file as creating the plan would, and make nothing',
  body: planBody,
  answers: {
    200: {
      description: 'What it would do',
      content: json(dryRunShape),
    },
  },
  faults: ['PLAN_INVALID', 'PLAN_TOO_LARGE'],
};
