import { z } from 'zod';
import { READS } from '../annotations.ts';
import { planId } from '../arguments.ts';
import { planStatus } from '../plan-status.ts';
import { statusAnswer } from '../status-answer.ts';
import { defineTool } from '../tool.ts';
import { UNTIL, WAITED, waitForPlan } from '../wait-for-plan.ts';
import { beginWait } from '../wait-tasks.ts';

const SECONDS = 45;
const MOST_SECONDS = 1_200;

export const planWait = defineTool({
  name: 'plan_wait',
  title: 'Wait for a plan',
  description: `Waits until a plan has ended, or until somebody has to do something (it asks, is paused, or is in review), then answers as plan_status does.
It answers after ${SECONDS} seconds at the latest, with waited: "timeout" while the plan is still at work: call it again. A call that is cancelled or lost ends only the waiting; the plan goes on.
Give until: "ended" when others answer its questions. Raise timeout_seconds only if your client keeps calls open so long.
Errors: PLAN_NOT_FOUND.`,
  annotations: READS,
  input: z.strictObject({
    plan_id: planId,
    timeout_seconds: z
      .number()
      .min(0)
      .max(MOST_SECONDS)
      .optional()
      .describe(
        `${SECONDS} unless said, at most ${MOST_SECONDS}; many clients give up after 60. In a client that takes tasks: no end, unless said`,
      ),
    until: z.enum(UNTIL).optional().describe('attention unless said'),
  }),
  output: planStatus.extend({
    waited: z
      .enum(WAITED)
      .describe(
        'Why it was answered now; next_run: what was waited for has ended, and plan_resume or plan_retry followed',
      ),
  }),
  async run(call, { plan_id, timeout_seconds, until = 'attention' }) {
    if (call.takesTasks && timeout_seconds !== 0) {
      const task = await beginWait(call, plan_id, until, timeout_seconds);
      if (task) return { task };
    }
    const seconds = timeout_seconds ?? SECONDS;
    const { view, waited } = await waitForPlan(call, plan_id, { seconds, until });
    const { body, links } = await statusAnswer(call, view);
    return { body: { ...body, waited }, links };
  },
});
