import { Router } from 'express';
import { z } from 'zod';
import { parseRequest } from '../service/parse-request.ts';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import { jsonBody, readBody } from './body.ts';
import { commandBody, commandFields, plainCommand, readCommand } from './command-request.ts';
import { callerIn } from './locals.ts';
import { documented, json, type Operation } from './openapi/operation.ts';
import { jsonObject } from './plan-request.ts';
import { pipelineRun, sent } from './shapes/pipeline.ts';

const checkpointBody = z.strictObject({
  ...commandFields,
  option: z
    .union([z.string(), z.int().min(0)])
    .optional()
    .describe('One of the options, or its place among them from 0'),
  values: jsonObject.optional().describe('For a checkpoint with a form'),
  checkpointId: z.string().optional().describe('Which one; the open one when left out'),
});

/** One pipeline run: how it stands, and what people decide about it. */
export function agentRunRoutes(service: PlanService): Router {
  const router = Router();
  router
    .route('/agents/runs/:id')
    .get(documented(OPERATIONS.read), async (request, response) => {
      response.json(await service.agents.run(callerIn(response), request.params.id));
    })
    .all(otherMethods);
  router
    .route('/agents/runs/:id/checkpoint')
    .post(documented(OPERATIONS.checkpoint), readBody, async (request, response) => {
      const asked = readCommand(checkpointBody, request);
      response.json(await service.agents.checkpoint(callerIn(response), request.params.id, asked));
    })
    .all(otherMethods);
  router
    .route('/agents/runs/:id/dismiss')
    .post(documented(OPERATIONS.dismiss), readBody, async (request, response) => {
      parseRequest(plainCommand, jsonBody(request));
      await service.agents.dismiss(callerIn(response), request.params.id);
      response.status(204).end();
    })
    .all(otherMethods);
  router
    .route('/agents/runs/:id/retry')
    .post(documented(OPERATIONS.retry), readBody, async (request, response) => {
      const asked = readCommand(plainCommand, request);
      response.status(202).json(await service.agents.retry(callerIn(response), request.params.id, asked));
    })
    .all(otherMethods);
  return router;
}

const OPERATIONS = {
  read: {
    tag: 'agents',
    summary: 'A pipeline run',
    answers: { 200: { description: 'By the columns of its document', content: json(pipelineRun) } },
  },
  checkpoint: {
    tag: 'agents',
    summary: 'Answer a checkpoint, once',
    headers: ['Idempotency-Key'],
    body: commandBody(checkpointBody, { option: 'ship' }),
    answers: {
      200: {
        description: 'It is answered, and the pipeline goes on',
        content: json(z.object({ pipelineRunId: z.uuid(), checkpointId: z.string(), option: z.string().nullable() })),
      },
    },
    faults: ['QUESTION_NOT_FOUND', 'QUESTION_CLOSED', 'ANSWER_INVALID', 'PLAN_INVALID_STATE'],
  },
  dismiss: {
    tag: 'agents',
    summary: 'Forget an interrupted pipeline',
    description: 'It is no longer found as interrupted. One that has ended stays as it is.',
    body: commandBody(plainCommand),
    answers: { 204: { description: 'It is dismissed' } },
    faults: ['PLAN_INVALID_STATE'],
  },
  retry: {
    tag: 'agents',
    summary: 'Work its message afresh',
    headers: ['Idempotency-Key'],
    description: 'An interrupted run is dismissed; nothing of it is reused.',
    body: commandBody(plainCommand),
    answers: { 202: { description: 'A fresh pipeline was started', content: json(sent) } },
    faults: ['PIPELINE_RUNNING', 'CONFIG_INVALID'],
  },
} satisfies Record<string, Operation>;
