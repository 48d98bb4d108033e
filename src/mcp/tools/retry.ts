import { z } from 'zod';
import type { RunStarted } from '../../service/next-run.ts';
import { STARTS } from '../annotations.ts';
import { idempotencyKey, modelProfile, planId } from '../arguments.ts';
import { RESUME_OR_RETRY, startedRun, toldOf } from '../next-run.ts';
import { defineTool } from '../tool.ts';

export const planRetry = defineTool({
  name: 'plan_retry',
  title: 'Run a plan again from nothing',
  description: `Runs a failed or stopped plan again from its first task, optionally with another model profile. What was finished is done again: to keep it, use plan_resume.
${RESUME_OR_RETRY}
Errors: PLAN_NOT_RESUMABLE unless the plan has failed or was stopped; PLAN_NOT_FOUND.`,
  annotations: STARTS,
  input: z.strictObject({ plan_id: planId, model_profile: modelProfile, idempotency_key: idempotencyKey }),
  output: z.object({ ...startedRun, status: z.literal('retry_queued'), retried_at: z.string().describe('ISO 8601') }),
  async run({ service, caller, api }, { plan_id, model_profile, idempotency_key: request_id }) {
    const started = await service.nextRun(caller, plan_id, { mode: 'retry', model_profile, request_id });
    return {
      body: {
        ...toldOf(started as RunStarted, api, model_profile),
        status: 'retry_queued' as const,
        message: 'Its next run has begun, from nothing. Next: plan_wait.',
        retried_at: new Date().toISOString(),
      },
    };
  },
});
