import { Router } from 'express';
import { z } from 'zod';
import type { RunPreview } from '../service/next-run.ts';
import { parseRequest } from '../service/parse-request.ts';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import { jsonBody, readBody } from './body.ts';
import { callerIn } from './locals.ts';
import { documented, json, type Operation } from './openapi/operation.ts';
import { jsonObject, planInBody, planText } from './plan-request.ts';

const mode = z.enum(['resume', 'retry']).describe('`resume` keeps finished work, `retry` starts from nothing');
const runBody = z.strictObject({
  mode,
  plan: planInBody.optional().describe('The edited plan file: its text, or what it says'),
  inputs: jsonObject.optional().describe('In place of those given before'),
  from: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Of a resume: this task and all that depends on it run again, too'),
  dry_run: z.boolean().optional().describe('Start nothing, and tell what would run'),
  model_profile: z.string().optional().describe('Of a retry: by which models its tasks work'),
  request_id: z.string().min(1).max(200).optional().describe('The same again starts no second run'),
});

/** The next run of a plan that failed or was stopped. */
export function runRoutes(service: PlanService): Router {
  const router = Router();
  router
    .route('/api/plans/:id/runs')
    .post(documented(operation), readBody, async (request, response) => {
      const { plan, ...rest } = parseRequest(runBody, jsonBody(request));
      const asked = { ...rest, ...(plan !== undefined && { plan: planText(plan) }) };
      const answer = await service.nextRun(callerIn(response), request.params.id, asked);
      if ('dry_run' in answer) return void response.json(answer);
      response.status(202).location(`/api/plans/${answer.plan_id}`).json(answer);
    })
    .all(otherMethods);
  return router;
}

const preview: z.ZodType<RunPreview> = z
  .object({
    plan_id: z.uuid(),
    dry_run: z.literal(true),
    reuse: z.array(z.string()).describe('Tasks whose ending is kept'),
    run: z.array(z.string()).describe('Tasks that run'),
    reasons: z.record(z.string(), z.string()).describe('By task, why'),
  })
  .meta({ id: 'RunPreview' });

const operation: Operation = {
  tag: 'controls',
  summary: 'Start the next run of a plan that failed or was stopped',
  body: { required: true, content: json(runBody, { mode: 'resume' }) },
  answers: {
    200: { description: 'What it would do: asked for by `dry_run`', content: json(preview) },
    202: {
      description: 'It has been started',
      headers: ['Location'],
      content: json(
        z.object({ plan_id: z.uuid(), mode, resume_count: z.int().describe('How often it has been resumed now') }),
      ),
    },
  },
  faults: ['PLAN_NOT_RESUMABLE', 'PLAN_INVALID', 'TASK_NOT_FOUND', 'PLAN_TOO_LARGE'],
};
