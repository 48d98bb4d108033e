import { z } from 'zod';
import { goOn, type Lifted } from '../../service/go-on.ts';
import type { RunPreview, RunStarted } from '../../service/next-run.ts';
import { STARTS } from '../annotations.ts';
import { idempotencyKey, modelProfile, planFile, planId, textOf } from '../arguments.ts';
import { RESUME_OR_RETRY, startedRun, toldOf } from '../next-run.ts';
import { defineTool } from '../tool.ts';

const { status: _, state, ...started } = startedRun;

export const planResume = defineTool({
  name: 'plan_resume',
  title: 'Resume a plan, keeping finished work',
  description: `Lets a plan go on that failed, was stopped, or is paused. Tasks that were completed are kept and not run again; it goes on with the first that was not.
With plan, an edited plan file, only what changed and what depends on it runs again. dry_run: true first tells what would be reused and what would run, and why, and changes nothing.
With from, this task and what depends on it run again although they were completed.
A paused plan just goes on: its pause is lifted.
${RESUME_OR_RETRY}
A completed plan is not run again: plan_create makes a new one. One that asks goes on by plan_answer.
Errors: PLAN_NOT_RESUMABLE when the plan is at work, waits, or is completed (also when somebody else has just resumed it); PLAN_NOT_FOUND; PLAN_INVALID for a wrong plan file.`,
  annotations: STARTS,
  input: z.strictObject({
    plan_id: planId,
    plan: planFile.optional(),
    dry_run: z.boolean().optional().describe('Only tell what would run'),
    from: z.string().optional().describe('The id of a task that is to run again, with all that depends on it'),
    model_profile: modelProfile.describe('Refused: a resume keeps to the models it began with. Give it to plan_retry'),
    idempotency_key: idempotencyKey,
  }),
  output: z.object({
    ...started,
    status: z
      .enum(['resume_queued', 'resumed'])
      .optional()
      .describe('resumed: a pause was lifted. Absent in a dry run'),
    state: z.union([state, z.literal('processing')]).optional(),
    message: started.message.optional(),
    model_profile: started.model_profile.optional(),
    resume_count: started.resume_count.optional(),
    resumed_at: z.string().optional().describe('ISO 8601'),
    dry_run: z.literal(true).optional(),
    reuse: z.array(z.string()).optional().describe('Of a dry run: tasks whose finished work is kept'),
    run: z.array(z.string()).optional().describe('Of a dry run: tasks that would run'),
    reasons: z.record(z.string(), z.string()).optional().describe('Of a dry run: why, by task'),
  }),
  async run({ service, caller, api }, { plan_id, plan, idempotency_key: request_id, ...asked }) {
    const request = { ...asked, ...(plan !== undefined && { plan: textOf(plan) }), request_id };
    return { body: bodyOf(await goOn(service, caller, plan_id, request), api, asked.model_profile) };
  },
});

function bodyOf(gone: RunStarted | RunPreview | Lifted, api: string | undefined, profile: string | undefined) {
  if ('dry_run' in gone) return gone;
  const resumed_at = new Date().toISOString();
  if ('lifted' in gone)
    return {
      plan_id: gone.plan_id,
      status: 'resumed' as const,
      state: 'processing' as const,
      message: 'The pause is lifted. Next: plan_wait.',
      resumed_at,
    };
  return {
    ...toldOf(gone, api, profile),
    status: 'resume_queued' as const,
    message:
      'Its next run has begun: completed tasks are kept, and it goes on with the first that was not. Next: plan_wait.',
    resumed_at,
  };
}
