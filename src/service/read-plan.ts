import type { Client } from '@temporalio/client';
import type { PlanRef } from '../contract/hints.ts';
import { QUERIES, workflowId } from '../contract/names.ts';
import type { TaskPage } from '../contract/payloads.ts';
import { Fault } from '../faults.ts';
import { isTerminal } from '../plan/lifecycle.ts';
import type { PlanView, TaskView } from '../plan/view.ts';
import { askReplayed } from './ask-replayed.ts';
import { type Caller, mustHave } from './caller.ts';
import { type Described, describePlan } from './described.ts';
import { withPlace } from './group-slots.ts';
import { mustBePlanId } from './ids.ts';
import { type Freshness, lastKnown } from './last-known.ts';
import { type Liveness, runsSomething, withLiveness } from './pending.ts';
import { ask, type Patience, QUERY_DEADLINE_MS } from './queries.ts';
import { workerAnswers } from './readiness.ts';
import { sharedReads } from './shared-query.ts';
import { standstillOf } from './standstill.ts';
import { wholeView } from './whole-view.ts';

export interface ReadPlan extends PlanView {
  /** Its Workflow Id in Temporal; those of its children begin with it. */
  workflow_id: string;
  tasks: (TaskView & Liveness)[];
  /** An operator has paused it in Temporal itself. */
  engine_paused?: true;
  /** The workflow code of the worker cannot go on with it, and why. */
  stuck?: string;
  freshness: Freshness;
}

/** Many readers of one plan are not to slow it down. */
const PACE_MS = 200;
const shareDescription = sharedReads<Described>(PACE_MS);
const shareStatus = sharedReads<PlanView | undefined>(PACE_MS);

/** The plan as it is now; when no worker answers, the last known state. Never hangs, and never a false "not found". */
export async function readPlan(client: Client, caller: Caller, planId: string): Promise<ReadPlan> {
  mustHave(caller, 'plan:read');
  return await readView(client, { org_id: caller.principal.org_id, plan_id: mustBePlanId(planId) });
}

/** The same for whoever may read it. */
export async function readView(client: Client, { org_id, plan_id }: PlanRef): Promise<ReadPlan> {
  const id = workflowId(org_id, plan_id);
  const asked = shareStatus(id, () =>
    wholeView(id, (workflow, page, isChild) => askView(client, workflow, page, isChild)).then(
      (view) => view && withPlace(client, org_id, view),
    ),
  );
  const view = await unlessNobodyAnswers(client, id, asked);
  if (!view) {
    const found = await describePlan(client, id, plan_id);
    const stuck = found.open ? (await standstillOf(client, id))?.stuck : undefined;
    return await lastKnown(client, id, plan_id, { ...found, ...(stuck !== undefined && { stuck }) });
  }
  const read = reads.get(view) ?? withWhatTemporalKnows(client, id, plan_id, view);
  reads.set(view, read);
  return await read;
}

/** Those who share a view share the rest, too. */
const reads = new WeakMap<PlanView, Promise<ReadPlan>>();

async function withWhatTemporalKnows(client: Client, id: string, plan_id: string, view: PlanView): Promise<ReadPlan> {
  const now = Date.now();
  const at = new Date(now).toISOString();
  const found = hasMoreToTell(view, now)
    ? await shareDescription(id, () => describePlan(client, id, plan_id))
    : undefined;
  if (found?.ended_outside !== undefined) return await lastKnown(client, id, plan_id, found, view);
  const tasks = withLiveness(view.tasks, found?.pending ?? [], now);
  return { ...view, workflow_id: id, tasks, freshness: { live: true, at } };
}

/** Waits no longer than that nobody answers at all: the last known state is to be given within 2 s. */
async function unlessNobodyAnswers<T>(client: Client, id: string, asked: Promise<T>): Promise<T | undefined> {
  const mayAnswer = async () => (await workerAnswers(client, PROBE_PATIENCE)) && !(await standstillOf(client, id));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T | undefined>((resolve, reject) => {
    timer = setTimeout(() => mayAnswer().then((may) => resolve(may ? asked : undefined), reject), QUERY_DEADLINE_MS);
  });
  return await Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
const PROBE_PATIENCE: Patience = { deadlineMs: 400, totalMs: 1_400 };

/**
 * Whether Temporal knows more than the plan itself. A plan that was terminated still answers queries as if it went on: that
 * is asked when nothing has moved for a while. And of what runs, only Temporal knows whether a worker has it.
 */
function hasMoreToTell({ state, updated_at, tasks }: PlanView, now: number): boolean {
  if (isTerminal(state.status)) return false;
  return now - Date.parse(updated_at) >= 1_000 || runsSomething(tasks);
}

/**
 * Throws ENGINE_UNAVAILABLE where only Temporal knows of the plan, and so nothing of its tasks: no task is unknown for that. One
 * that failed before it began has none.
 */
export function mustKnowTasks({ plan_id, tasks, error, freshness }: ReadPlan): void {
  if (freshness.live || tasks.length > 0 || error?.code === 'PLAN_FAILED') return;
  throw new Fault('ENGINE_UNAVAILABLE', `no worker answers for plan ${plan_id}`);
}

/** Throws PLAN_NOT_FOUND unless the caller's organisation has the plan, and PLAN_FORBIDDEN; asks no worker. Gives its id. */
export async function mustHavePlan(client: Client, caller: Caller, planId: string): Promise<string> {
  mustHave(caller, 'plan:read');
  const plan_id = mustBePlanId(planId);
  const id = workflowId(caller.principal.org_id, plan_id);
  await shareDescription(id, () => describePlan(client, id, plan_id));
  return plan_id;
}

/** A child that is just beginning or ending is not waited for: its parent's view tells enough. */
export async function askView(
  client: Client,
  id: string,
  page: TaskPage,
  isChild: boolean,
): Promise<PlanView | undefined> {
  const asked = isChild ? ask : askReplayed;
  const answer = await asked<PlanView>(client, { id }, QUERIES.status, page);
  return typeof answer === 'symbol' ? undefined : answer;
}
