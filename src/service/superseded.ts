import type { Client } from '@temporalio/client';
import { workflowId } from '../contract/names.ts';
import { quoted, type VisiblePlan, visiblePlans } from './visible-plans.ts';

/** Ids in one question. */
const AT_ONCE = 100;
const RUNS = 1_000;

/**
 * The plans without the runs that a later one followed: Temporal lists every run, and a plan that was resumed is not what an
 * earlier run of it came to. Only what failed or was stopped can have a next run.
 */
export async function withoutSuperseded(client: Client, orgId: string, plans: VisiblePlan[]): Promise<VisiblePlan[]> {
  const ended = plans.filter(({ open, status }) => !open && status !== 'completed');
  const ids = [...new Set(ended.map(({ plan_id }) => plan_id))];
  const newest = new Map<string, VisiblePlan>();
  for (let from = 0; from < ids.length; from += AT_ONCE)
    for (const run of await runsOf(client, orgId, ids.slice(from, from + AT_ONCE))) {
      const other = newest.get(run.plan_id);
      if (!other || other.started_at < run.started_at) newest.set(run.plan_id, run);
    }
  return plans.filter(({ plan_id, run_id }) => (newest.get(plan_id)?.run_id ?? run_id) === run_id);
}

async function runsOf(client: Client, orgId: string, ids: string[]): Promise<VisiblePlan[]> {
  const named = ids.map((id) => quoted(workflowId(orgId, id))).join(', ');
  const found: VisiblePlan[] = [];
  let token: Uint8Array | undefined;
  do {
    const page = await visiblePlans(client, orgId, [`WorkflowId IN (${named})`], RUNS, token);
    found.push(...page.plans);
    token = page.next_token;
  } while (token);
  return found;
}
