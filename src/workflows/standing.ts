import { workflowInfo } from '@temporalio/workflow';
import { type Packed, pack } from '../contract/packed.ts';
import { payload } from '../contract/payload-size.ts';
import type { NotBegun, PlanInput } from '../contract/payloads.ts';
import type { Plan } from '../plan/plan.ts';
import { type Standing, standingOf } from '../plan/standing.ts';

/** Answers the query `standing`: what the plan, or the child, would leave if it ended now. */
export function standing(plan: Plan | undefined, { child }: PlanInput): Packed<Standing | NotBegun> {
  if (!plan) return { begun: false };
  const batch = child?.work.kind === 'batch' ? child.work.words : undefined;
  return payload('what the plan would leave', pack(standingOf(plan, workflowInfo().runId, batch)));
}
