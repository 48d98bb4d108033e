import type { JsonObject } from '../plan/json.ts';
import { type Caller, mustHave } from './caller.ts';
import type { DryRun } from './dry-run.ts';
import type { PlanReader } from './plan-reader.ts';

export interface ValidateRequest {
  /** The plan file's text, YAML or JSON. */
  plan: string;
  inputs?: JsonObject | undefined;
}

/** Checks a plan file as creating the plan would, and tells what that would do; makes nothing. */
export async function validatePlan(
  reader: PlanReader,
  caller: Caller,
  { plan, inputs }: ValidateRequest,
): Promise<DryRun> {
  mustHave(caller, 'plan:create');
  return await reader.dryRun(caller.principal.org_id, plan, inputs);
}
