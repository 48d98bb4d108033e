import { Router } from 'express';
import { parseRequest } from '../service/parse-request.ts';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import { jsonBody, readBody } from './body.ts';
import { callerIn } from './locals.ts';
import { documented, json, type Operation } from './openapi/operation.ts';
import { budgetBody, budgetView, limitsBody, limitsView, spentOf } from './shapes/limits.ts';

/** What the organisation's calls of models may take, and those of one plan. */
export function limitRoutes(service: PlanService): Router {
  const router = Router();
  router
    .route('/settings/limits')
    .get(documented(OPERATIONS.read), async (request, response) => {
      const { chatId, projectId } = parseRequest(spentOf, request.query);
      response.json(await service.limits(callerIn(response), { chat: chatId, project: projectId }));
    })
    .put(documented(OPERATIONS.set), readBody, async (request, response) => {
      const limits = parseRequest(limitsBody, jsonBody(request));
      response.json(await service.setLimits(callerIn(response), limits));
    })
    .all(otherMethods);
  router
    .route('/api/plans/:id/budget')
    .get(documented(OPERATIONS.readBudget), async (request, response) => {
      response.json(await service.budget(callerIn(response), request.params.id));
    })
    .put(documented(OPERATIONS.setBudget), readBody, async (request, response) => {
      const budget = parseRequest(budgetBody, jsonBody(request));
      response.json(await service.setBudget(callerIn(response), request.params.id, budget));
    })
    .all(otherMethods);
  return router;
}

const OPERATIONS = {
  read: {
    tag: 'limits',
    summary: 'What the organisation may spend on models, and has spent today',
    query: spentOf,
    answers: { 200: { description: 'Its limits', content: json(limitsView) } },
  },
  set: {
    tag: 'limits',
    summary: 'Change limits',
    description:
      'Limits that are not named stay as they are; `null` lifts one. Plans that a limit holds are resumed by hand.',
    body: { required: true, content: json(limitsBody, { maxTokensPerChat: 350_000 }) },
    answers: { 200: { description: 'What they are now', content: json(limitsView) } },
    faults: ['REQUEST_INVALID'],
  },
  readBudget: {
    tag: 'limits',
    summary: 'What a plan may spend on models, and has spent',
    answers: { 200: { description: 'Its budget', content: json(budgetView) } },
  },
  setBudget: {
    tag: 'limits',
    summary: 'Change what a plan may spend on models',
    description:
      'Wins from now on over what its file says. What is not named stays as it is; `null` lifts it. A plan that is held is resumed by hand, or by `resume` with a `budget`.',
    body: { required: true, content: json(budgetBody, { max_tokens: 200_000 }) },
    answers: { 200: { description: 'What it is now', content: json(budgetView) } },
    faults: ['REQUEST_INVALID'],
  },
} satisfies Record<string, Operation>;
