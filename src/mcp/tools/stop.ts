import { z } from 'zod';
import { asFault } from '../../faults.ts';
import { isTerminal } from '../../plan/lifecycle.ts';
import { mustHave } from '../../service/caller.ts';
import { STOPS } from '../annotations.ts';
import { comment, idempotencyKey, planId } from '../arguments.ts';
import { wordOf } from '../plan-status.ts';
import { STATES } from '../plan-words.ts';
import { defineTool } from '../tool.ts';

export const planStop = defineTool({
  name: 'plan_stop',
  title: 'Stop a plan',
  description: `Ends a plan now: what runs is ended, nothing new starts. Finished work is kept, and plan_resume goes on from there later.
To halt it only for a while, and let running tasks end, use plan_pause.
Of a plan that has ended already it changes nothing, which is no error: stop_requested is false. Ending what runs may take a moment: plan_wait tells when it is stopped.
Errors: PLAN_NOT_FOUND.`,
  annotations: STOPS,
  input: z.strictObject({ plan_id: planId, comment, idempotency_key: idempotencyKey }),
  output: z.object({
    plan_id: z.string(),
    state: z.enum(STATES),
    stop_requested: z.boolean().describe('False when the plan had ended before'),
    message: z.string(),
  }),
  async run({ service, caller }, { plan_id, comment, idempotency_key: request_id }) {
    // Its answer tells where the plan stands.
    mustHave(caller, 'plan:read');
    let stopped = true;
    try {
      await service.command(caller, plan_id, 'stop', { request_id, comment });
    } catch (error) {
      // It has ended, or is being stopped by somebody else: the plan tells which.
      if (asFault(error).code !== 'PLAN_INVALID_STATE') throw error;
      stopped = false;
    }
    const view = await service.read(caller, plan_id);
    const before = isTerminal(view.state.status) && !stopped;
    const message = before ? `It had ended before: ${view.state.status}.` : 'Being stopped; finished work is kept.';
    return { body: { plan_id: view.plan_id, state: wordOf(view), stop_requested: !before, message } };
  },
});
