import { Router } from 'express';
import { mustHave } from '../service/caller.ts';
import { dryRun } from '../service/dry-run.ts';
import { readPlanFile } from '../service/plan-file.ts';
import { otherMethods } from './addresses.ts';
import { readBody } from './body.ts';
import { callerIn } from './locals.ts';
import { readPlanRequest } from './plan-request.ts';

/** Checks a plan file as creating the plan would, and tells what that would do; makes nothing. */
export function validateRoutes(): Router {
  const router = Router();
  router
    .route('/api/plans/validate')
    .post(readBody, (request, response) => {
      mustHave(callerIn(response), 'plan:create');
      const { plan, inputs } = readPlanRequest(request);
      response.json(dryRun(readPlanFile(plan, { inputs })));
    })
    .all(otherMethods);
  return router;
}
