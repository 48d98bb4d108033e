import type { Client } from '@temporalio/client';
import { PLAN_WORKFLOW } from '../contract/names.ts';
import { SEARCH_ATTRIBUTES } from '../contract/search-attributes.ts';
import type { PlanStatus } from '../plan/lifecycle.ts';
import { isOf, statusOf } from './list-plans.ts';
import { quoted } from './visibility-query.ts';

/** Plans that ended longer ago were seen ended before. */
const ENDED_MS = 60_000;
const PAGE = 1_000;
/** An organisation with more open plans is compared in part. */
const PAGES = 10;

/** How an organisation's plans stand that are open, or were until just now, by Temporal's list; it lags by about a second. */
export async function planStatuses(client: Client, orgId: string): Promise<{ plan_id: string; status: PlanStatus }[]> {
  const since = new Date(Date.now() - ENDED_MS).toISOString();
  const query = [
    `WorkflowType = ${quoted(PLAN_WORKFLOW)}`,
    `${SEARCH_ATTRIBUTES.org.name} = ${quoted(orgId)}`,
    `(ExecutionStatus = 'Running' OR (CloseTime > ${quoted(since)} AND ExecutionStatus != 'ContinuedAsNew'))`,
  ].join(' AND ');
  const found: { plan_id: string; status: PlanStatus }[] = [];
  let nextPageToken: Uint8Array | undefined;
  for (let page = 0; page < PAGES; page++) {
    const { namespace } = client.options;
    const answer = await client.workflowService.listWorkflowExecutions({
      namespace,
      query,
      pageSize: PAGE,
      nextPageToken,
    });
    for (const info of answer.executions) {
      const id = info.execution?.workflowId ?? '';
      if (isOf(orgId, id)) found.push({ plan_id: id.split('/').at(-1)!, status: statusOf(info) });
    }
    nextPageToken = answer.nextPageToken;
    if (!nextPageToken || nextPageToken.length === 0) break;
  }
  return found;
}
