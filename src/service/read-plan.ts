import type { Client } from '@temporalio/client';
import type { PlanRef } from '../contract/hints.ts';
import { QUERIES, workflowId } from '../contract/names.ts';
import type { TaskPage } from '../contract/payloads.ts';
import { isTerminal } from '../plan/lifecycle.ts';
import type { PlanView, TaskView } from '../plan/view.ts';
import { askReplayed } from './ask-replayed.ts';
import { type Caller, mustHave } from './caller.ts';
import { type Described, describePlan } from './described.ts';
import { mustBePlanId } from './ids.ts';
import { type Liveness, runsSomething, withLiveness } from './pending.ts';
import { ask } from './queries.ts';
import { sharedReads } from './shared-query.ts';
import { wholeView } from './whole-view.ts';

/** How true a view is: asked of the plan itself just now, or the last that Temporal knows of it. */
export interface Freshness {
  live: boolean;
  at: string;
  message?: string;
}
export interface ReadPlan extends PlanView {
  tasks: (TaskView & Liveness)[];
  freshness: Freshness;
}

const shareDescription = sharedReads<Described>();
const shareStatus = sharedReads<PlanView | undefined>();

/** The plan as it is now; when no worker answers, the last known state. Never hangs, and never a false "not found". */
export async function readPlan(client: Client, caller: Caller, planId: string): Promise<ReadPlan> {
  mustHave(caller, 'plan:read');
  return await readView(client, { org_id: caller.principal.org_id, plan_id: mustBePlanId(planId) });
}

/** The same for whoever may read it. */
export async function readView(client: Client, { org_id, plan_id }: PlanRef): Promise<ReadPlan> {
  const id = workflowId(org_id, plan_id);
  const view = await shareStatus(id, () =>
    wholeView(id, (workflow, page, isChild) => askView(client, workflow, page, isChild)),
  );
  const now = Date.now();
  const at = new Date(now).toISOString();
  if (!view) return lastKnown(plan_id, await describePlan(client, id, plan_id), at);
  const found = hasMoreToTell(view, now)
    ? await shareDescription(id, () => describePlan(client, id, plan_id))
    : undefined;
  if (found?.ended_outside !== undefined) return lastKnown(plan_id, found, at, view);
  return { ...view, tasks: withLiveness(view.tasks, found?.pending ?? [], now), freshness: { live: true, at } };
}

/**
 * Whether Temporal knows more than the plan itself. A plan that was terminated still answers queries as if it went on: that
 * is asked when nothing has moved for a while. And of what runs, only Temporal knows whether a worker has it.
 */
function hasMoreToTell({ state, updated_at, tasks }: PlanView, now: number): boolean {
  if (isTerminal(state.status)) return false;
  return now - Date.parse(updated_at) >= 1_000 || runsSomething(tasks);
}

/** A child that is just beginning or ending is not waited for: its parent's view tells enough. */
async function askView(client: Client, id: string, page: TaskPage, isChild: boolean): Promise<PlanView | undefined> {
  const asked = isChild ? ask : askReplayed;
  const answer = await asked<PlanView>(client, { id }, QUERIES.status, page);
  return typeof answer === 'symbol' ? undefined : answer;
}

function lastKnown(plan_id: string, found: Described, at: string, view?: PlanView): ReadPlan {
  const state =
    found.status === 'stand_by' ? { status: found.status, next_execution_at: at } : { status: found.status };
  const seen = found.closed_at ?? found.created_at;
  const message = found.ended_outside ?? `no worker is polling; last known state`;
  return {
    name: found.name,
    run: 1,
    progress: { done: 0, total: 0, percentage: 0 },
    progress_percentage: 0,
    tasks: [],
    tasks_total: 0,
    children: [],
    deadline_at: null,
    created_at: found.created_at.toISOString(),
    created_by: '',
    seq: 0,
    updated_at: seen.toISOString(),
    ...view,
    plan_id,
    state,
    pausing: false,
    stopping: false,
    current_task: null,
    current_tasks: [],
    questions: [],
    waiting_for: [],
    allowed_actions: [],
    error: found.ended_outside ? { code: 'ENDED_OUTSIDE', message: found.ended_outside } : null,
    freshness: { live: false, at, message },
  };
}
