import type { Client } from '@temporalio/client';
import type { PlanStatus } from '../plan/lifecycle.ts';
import { visiblePlans } from './visible-plans.ts';

/** Plans that ended longer ago were seen ended before. */
const ENDED_MS = 60_000;
const PAGE = 1_000;
/** An organisation with more open plans is compared in part. */
const PAGES = 10;

/** How an organisation's plans stand that are open, or were until just now, by Temporal's list; it lags by about a second. */
export async function planStatuses(client: Client, orgId: string): Promise<{ plan_id: string; status: PlanStatus }[]> {
  const since = new Date(Date.now() - ENDED_MS).toISOString();
  const recent = [`(ExecutionStatus = 'Running' OR CloseTime > '${since}')`];
  const found: { plan_id: string; status: PlanStatus }[] = [];
  let token: Uint8Array | undefined;
  for (let page = 0; page < PAGES; page++) {
    const { plans, next_token } = await visiblePlans(client, orgId, recent, PAGE, token);
    found.push(...plans.map(({ plan_id, status }) => ({ plan_id, status })));
    token = next_token;
    if (!token) break;
  }
  return found;
}
