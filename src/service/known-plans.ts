import type { Client } from '@temporalio/client';
import { PLAN_WORKFLOW } from '../contract/names.ts';

/** Ids of all plans that Temporal knows, of every organisation. */
export async function knownPlans(client: Client): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const { workflowId } of client.workflow.list({ query: `WorkflowType = '${PLAN_WORKFLOW}'` }))
    ids.add(workflowId.slice(workflowId.lastIndexOf('/') + 1));
  return ids;
}
