import { Router } from 'express';
import { z } from 'zod';
import { mustHave } from '../service/caller.ts';
import { readPlanFile } from '../service/plan-file.ts';
import { otherMethods } from './addresses.ts';
import { readBody } from './body.ts';
import { callerIn } from './locals.ts';
import { documented, json, type Operation } from './openapi/operation.ts';
import { planBody, readPlanRequest } from './plan-request.ts';

/** Checks a plan file as creating the plan would, and makes nothing. */
export function validateRoutes(): Router {
  const router = Router();
  router
    .route('/api/plans/validate')
    .post(documented(operation), readBody, (request, response) => {
      mustHave(callerIn(response), 'plan:create');
      const { plan, inputs } = readPlanRequest(request);
      const { name, tasks } = readPlanFile(plan, { inputs }).definition;
      response.json({ valid: true, name, tasks: tasks.map(({ id }) => id) });
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
      description: 'It is valid',
      content: json(z.object({ valid: z.literal(true), name: z.string(), tasks: z.array(z.string()) })),
    },
  },
  faults: ['PLAN_INVALID', 'PLAN_TOO_LARGE'],
};
