import type { Client } from '@temporalio/client';
import { workflowId } from '../contract/names.ts';
import { unpack } from '../contract/packed.ts';
import type { PlanDefinition } from '../plan/definition.ts';
import { type Caller, mustHave } from './caller.ts';
import { describePlan } from './described.ts';
import { mustBePlanId } from './ids.ts';
import { inputOf } from './run-input.ts';

/** What a plan's latest run runs. */
export async function readDefinition(client: Client, caller: Caller, planId: string): Promise<PlanDefinition> {
  mustHave(caller, 'plan:read');
  const plan_id = mustBePlanId(planId);
  const id = workflowId(caller.principal.org_id, plan_id);
  const { run_id } = await describePlan(client, id, plan_id);
  return unpack((await inputOf(client, id, run_id)).definition);
}
