import { z } from 'zod';
import type { RunStarted } from '../service/next-run.ts';
import { eventsUrl, sseUrl } from './events-url.ts';

/** Told by both tools that start a next run. */
export const RESUME_OR_RETRY = `Resume or retry?
- interrupted, timed out, crashed, or stopped by plan_stop: plan_resume
- a task failed and its cause has been mended outside the plan: plan_resume
- the plan file was wrong: plan_resume with the edited plan; only what changed, and what depends on it, runs again
- one finished task is to be done again: plan_resume with from
- a model's answers were no use, or another model profile is to be tried for everything: plan_retry
- everything is to be done anew: plan_retry`;

/** What both answer when the next run has been started. */
export const startedRun = {
  plan_id: z.string(),
  status: z.string(),
  message: z.string(),
  state: z.literal('pending'),
  resume_count: z.int().describe('How often the plan has been resumed now'),
  sse_url: sseUrl,
  model_profile: z.string().nullable().describe('The one asked for; null: as before'),
};

/** What both tell of the run that has been started. */
export function toldOf({ plan_id, resume_count }: RunStarted, api: string | undefined, profile: string | undefined) {
  const sse_url = eventsUrl(api, plan_id);
  return {
    plan_id,
    state: 'pending' as const,
    model_profile: profile ?? null,
    resume_count,
    ...(sse_url !== undefined && { sse_url }),
  };
}
