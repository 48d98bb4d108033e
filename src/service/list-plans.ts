import type { Client } from '@temporalio/client';
import { Fault } from '../faults.ts';
import type { PlanStatus } from '../plan/lifecycle.ts';
import { type Caller, mustHave } from './caller.ts';
import { cursorOf, tokenIn } from './list-cursor.ts';
import { conditionsOf, type ListFilters } from './list-filters.ts';
import { MOST_LISTED } from './list-limit.ts';
import type { Enrollment } from './start-workflow.ts';
import { withoutSuperseded } from './superseded.ts';
import { type VisiblePlan, visiblePlans } from './visible-plans.ts';

export interface ListRequest extends ListFilters {
  limit?: number;
  /** Of the page before, with the same filters. */
  cursor?: string;
}
export interface PlanSummary {
  plan_id: string;
  name: string;
  state: { status: PlanStatus };
  /** Id of whoever started its last run. */
  owner: string;
  created_at: string;
  ended_at: string | null;
  /** Which surface and tool started its latest run; absent where an older Holdpoint did. */
  trigger_source?: string;
  labels?: Record<string, string>;
  enrollment?: Enrollment;
}
export interface PlanList {
  /** A page may have fewer than asked for although there are more. */
  plans: PlanSummary[];
  next_cursor: string | null;
}

/** The organisation's plans, open ones first, each newest first, by Temporal's visibility: a plan shows up within about a second. */
export async function listPlans(client: Client, caller: Caller, request: ListRequest = {}): Promise<PlanList> {
  mustHave(caller, 'plan:read');
  const { limit = 50, cursor, ...filters } = request;
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_LISTED)
    throw new Fault('REQUEST_INVALID', `limit: "${limit}" is not a whole number from 1 to ${MOST_LISTED}`);
  const { org_id } = caller.principal;
  const conditions = conditionsOf(caller, filters);
  const list = JSON.stringify([org_id, conditions]);
  const token = cursor === undefined ? undefined : tokenIn(cursor, list);
  const { plans, next_token } = await visiblePlans(client, org_id, conditions, limit, token);
  const present = await withoutSuperseded(client, org_id, plans);
  const seen = new Set<string>();
  return {
    plans: present.filter(({ plan_id }) => !seen.has(plan_id) && seen.add(plan_id)).map(summary),
    next_cursor: next_token ? cursorOf(list, next_token) : null,
  };
}

function summary({ plan_id, name, status, owner, started_at, closed_at, facts }: VisiblePlan): PlanSummary {
  const { created_at, labels, enrollment, trigger } = facts;
  return {
    plan_id,
    name,
    state: { status },
    owner,
    created_at: (created_at === undefined ? started_at : new Date(created_at)).toISOString(),
    ended_at: closed_at?.toISOString() ?? null,
    ...(trigger !== undefined && { trigger_source: trigger }),
    ...(labels && { labels }),
    ...(enrollment && { enrollment }),
  };
}
