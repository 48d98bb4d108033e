import { type Request, Router } from 'express';
import { z } from 'zod';
import type { Place } from '../contract/payloads.ts';
import type { Caller } from '../service/caller.ts';
import { idempotentId } from '../service/ids.ts';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import { readBody } from './body.ts';
import { callerIn } from './locals.ts';
import { parseRequest } from './parse-request.ts';
import { readPlanRequest } from './plan-request.ts';

const listQuery = z.strictObject({
  limit: z.string().regex(/^\d+$/, 'has to be a whole number').transform(Number).optional(),
  cursor: z.string().optional(),
  state: z.string().optional(),
  name: z.string().optional(),
});

export function planRoutes(service: PlanService, place: () => Place): Router {
  const router = Router();
  router
    .route('/api/plans')
    .get(async (request, response) => {
      response.json(await service.list(callerIn(response), parseRequest(listQuery, request.query)));
    })
    .post(readBody, async (request, response) => {
      const caller = callerIn(response);
      const made = await service.create(caller, {
        ...idempotent(request, caller),
        ...readPlanRequest(request),
        place: place(),
      });
      response
        .status(made.created ? 201 : 200)
        .location(`/api/plans/${made.plan_id}`)
        .json(made);
    })
    .all(otherMethods);
  router
    .route('/api/plans/:id')
    .get(async (request, response) => {
      response.json(await service.read(callerIn(response), request.params.id));
    })
    .all(otherMethods);
  return router;
}

/** The same `Idempotency-Key` again is the same plan, unless the body itself names the plan's id. */
function idempotent(request: Request, { principal }: Caller): { plan_id?: string } {
  const key = request.get('idempotency-key');
  return key ? { plan_id: idempotentId(principal.org_id, principal.id, key) } : {};
}
