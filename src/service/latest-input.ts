import type { Client } from '@temporalio/client';
import { workflowId } from '../contract/names.ts';
import type { PlanInput } from '../contract/payloads.ts';
import { type Caller, mustHave, type Permission } from './caller.ts';
import { describePlan } from './described.ts';
import { mustBePlanId } from './ids.ts';
import { inputOf } from './run-input.ts';

/** What a plan's latest run was started with, for whoever has the permission. */
export async function latestInput(
  client: Client,
  caller: Caller,
  planId: string,
  permission: Permission = 'plan:read',
): Promise<PlanInput> {
  mustHave(caller, permission);
  const plan_id = mustBePlanId(planId);
  const id = workflowId(caller.principal.org_id, plan_id);
  const { run_id } = await describePlan(client, id, plan_id);
  return await inputOf(client, id, run_id);
}
