import { z } from 'zod';
import { READS } from '../annotations.ts';
import { planId } from '../arguments.ts';
import { planStatus } from '../plan-status.ts';
import { statusAnswer } from '../status-answer.ts';
import { defineTool } from '../tool.ts';

export const planStatusTool = defineTool({
  name: 'plan_status',
  title: 'Where a plan stands',
  description: `Tells where a plan stands: state (pending, processing, completed, failed, stopped), progress, current_task, and of a failed plan the failed task and why (error).
state is processing also while the plan is paused or asks something: plan_state and next_steps tell these apart.
Look here before you decide between plan_resume and plan_retry. To wait for an end use plan_wait, which costs fewer calls.
Errors: PLAN_NOT_FOUND.`,
  annotations: READS,
  input: z.strictObject({ plan_id: planId }),
  output: planStatus,
  run: async (call, { plan_id }) => await statusAnswer(call, await call.service.read(call.caller, plan_id)),
});
