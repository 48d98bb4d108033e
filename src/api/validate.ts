import { Router } from 'express';
import { mustHave } from '../service/caller.ts';
import { readPlanFile } from '../service/plan-file.ts';
import { otherMethods } from './addresses.ts';
import { readBody } from './body.ts';
import { callerIn } from './locals.ts';
import { readPlanRequest } from './plan-request.ts';

/** Checks a plan file as creating the plan would, and makes nothing. */
export function validateRoutes(): Router {
  const router = Router();
  router
    .route('/api/plans/validate')
    .post(readBody, (request, response) => {
      mustHave(callerIn(response), 'plan:create');
      const { plan, inputs } = readPlanRequest(request);
      const { name, tasks } = readPlanFile(plan, { inputs }).definition;
      response.json({ valid: true, name, tasks: tasks.map(({ id }) => id) });
    })
    .all(otherMethods);
  return router;
}
