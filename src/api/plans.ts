import { type Request, Router } from 'express';
import type { Place } from '../contract/payloads.ts';
import type { Caller } from '../service/caller.ts';
import { idempotentId } from '../service/ids.ts';
import { parseRequest } from '../service/parse-request.ts';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import { readBody } from './body.ts';
import { answerOf } from './entity-tag.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { listQuery, listRequest } from './list-query.ts';
import { callerIn } from './locals.ts';
import { documented, json, type Operation } from './openapi/operation.ts';
import { planBody, readPlanRequest } from './plan-request.ts';
import { created } from './shapes/created.ts';
import { planList } from './shapes/plan-list.ts';
import { planView } from './shapes/plan-view.ts';

export function planRoutes(service: PlanService, place: () => Place): Router {
  const router = Router();
  router
    .route('/api/plans')
    .get(documented(OPERATIONS.list), async (request, response) => {
      const asked = listRequest(parseRequest(listQuery, request.query));
      response.json(await service.list(callerIn(response), asked));
    })
    .post(documented(OPERATIONS.create), readBody, async (request, response) => {
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
    .get(documented(OPERATIONS.read), async (request, response) => {
      const { tag, body } = answerOf(await service.read(callerIn(response), request.params.id));
      response.set('ETag', tag).type('json').send(body);
    })
    .all(otherMethods);
  return router;
}

/** The same `Idempotency-Key` again is the same plan, unless the body itself names the plan's id. */
function idempotent(request: Request, { principal }: Caller): { plan_id?: string } {
  const key = idempotencyKey(request);
  return key === undefined ? {} : { plan_id: idempotentId(principal.org_id, principal.id, key) };
}

const OPERATIONS = {
  list: {
    tag: 'plans',
    summary: 'List plans',
    description: 'Those that have not ended first, each newest first. A new plan shows up within about a second.',
    query: listQuery,
    answers: { 200: { description: 'A page of plans', content: json(planList) } },
  },
  create: {
    tag: 'plans',
    summary: 'Create a plan',
    description:
      'The same `plan_id`, or the same `Idempotency-Key` from the same caller, with the same body is the same plan: 200 in place of 201. With another body it is 409.',
    headers: ['Idempotency-Key'],
    body: planBody,
    answers: {
      200: {
        description: 'The same plan is there already',
        headers: ['Location'],
        content: json(created),
        ofPlan: true,
      },
      201: { description: 'The plan is made', headers: ['Location'], content: json(created), ofPlan: true },
    },
    faults: ['PLAN_INVALID', 'PLAN_TOO_LARGE', 'PLAN_EXISTS', 'ENROLLMENT_BLOCKED'],
  },
  read: {
    tag: 'plans',
    summary: 'Read a plan',
    description: 'When no worker answers, the last known state, with `freshness.live: false`.',
    answers: { 200: { description: 'The plan', content: json(planView) } },
  },
} satisfies Record<string, Operation>;
