import type { Client } from '@temporalio/client';
import { workflowId } from '../../contract/names.ts';
import { Fault } from '../../faults.ts';
import type { Caller } from '../caller.ts';
import { type Described, describePlan } from '../described.ts';
import { isPlanId } from '../ids.ts';
import type { PipelineFacts } from '../start-workflow.ts';

/** A pipeline run by its id; throws PLAN_NOT_FOUND also for a plan that is none. */
export async function findRun(
  client: Client,
  { principal: { org_id } }: Caller,
  id: string,
): Promise<{ plan_id: string; found: Described; pipeline: PipelineFacts }> {
  const none = () => new Fault('PLAN_NOT_FOUND', `there is no pipeline run "${id.slice(0, 80)}"`);
  if (!isPlanId(id)) throw none();
  const plan_id = id.toLowerCase();
  const found = await describePlan(client, workflowId(org_id, plan_id), plan_id);
  const { pipeline } = found.facts;
  if (!pipeline) throw none();
  return { plan_id, found, pipeline };
}
