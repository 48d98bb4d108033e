import type { Client } from '@temporalio/client';
import { type PlanError, TASK_ENDED } from '../plan/state.ts';
import type { PlanView, TaskView } from '../plan/view.ts';
import type { Described } from './described.ts';
import type { ReadPlan } from './read-plan.ts';

/** How true a view is: asked of the plan itself just now, or the last that Temporal knows of it. */
export interface Freshness {
  live: boolean;
  at: string;
  /** When a worker last moved the plan, and how long ago that is, where the view is not live. */
  as_of?: string;
  age_ms?: number;
  message?: string;
}

/** A plan as Temporal alone knows it; `view` is what it still says of itself, though it was ended from outside. */
export async function lastKnown(
  client: Client,
  id: string,
  plan_id: string,
  found: Described & { stuck?: string },
  view?: PlanView,
): Promise<ReadPlan> {
  const now = Date.now();
  const at = new Date(now).toISOString();
  const { status, ended_outside, engine_paused, stuck } = found;
  const { begins, worktree } = found.facts;
  const seen = found.closed_at ?? (await lastMoved(client, id, found.run_id)) ?? found.created_at;
  const as_of = seen.toISOString();
  return {
    name: found.name,
    run: begins?.run ?? 1,
    progress: begins?.progress ?? { done: 0, total: 0, percentage: 0 },
    progress_percentage: begins?.progress.percentage ?? 0,
    position: { step: 0, steps: 0 },
    tasks_total: 0,
    children: [],
    deadline_at: null,
    created_at: found.created_at.toISOString(),
    created_by: '',
    seq: 0,
    updated_at: as_of,
    ...(worktree && { worktree }),
    ...view,
    plan_id,
    workflow_id: id,
    state: status === 'stand_by' ? { status, next_execution_at: at } : { status },
    pausing: false,
    stopping: false,
    tasks: (view?.tasks ?? []).map((task) => closed(task, ended_outside)),
    current_task: null,
    current_tasks: [],
    questions: [],
    waiting_for: [],
    allowed_actions: [],
    error: ended_outside ? { code: 'ENDED_OUTSIDE', message: ended_outside } : await closingError(client, id, found),
    ...(engine_paused !== undefined && { engine_paused: true as const }),
    ...(stuck !== undefined && { stuck }),
    freshness: { live: false, at, as_of, age_ms: Math.max(0, now - seen.getTime()), message: messageOf(found) },
  };
}

/** Why it failed, as its closing tells: of a plan that has no view of its own, because it failed before it began. */
async function closingError(client: Client, workflowId: string, found: Described): Promise<PlanError | null> {
  if (found.open || found.status !== 'failed') return null;
  const { history } = await client.workflowService
    .getWorkflowExecutionHistory({
      namespace: client.options.namespace,
      execution: { workflowId, runId: found.run_id },
      historyEventFilterType: 2,
    })
    .catch(() => ({ history: undefined }));
  const failure = history?.events?.at(-1)?.workflowExecutionFailedEventAttributes?.failure;
  const message = failure?.cause?.message || failure?.message;
  return message ? { code: 'PLAN_FAILED', message } : null;
}

function messageOf({ ended_outside, engine_paused, stuck }: Described & { stuck?: string }): string {
  if (ended_outside !== undefined) return ended_outside;
  if (stuck !== undefined) return `stuck: ${stuck}; last known state`;
  if (engine_paused === undefined) return 'no worker is polling; last known state';
  return `paused in Temporal itself${engine_paused && `: ${engine_paused}`}; last known state`;
}

/** What had not ended ended with the plan. */
function closed(task: TaskView, endedOutside: string | undefined): TaskView {
  if (endedOutside === undefined || TASK_ENDED.includes(task.status)) return task;
  const { due_at: _, ...rest } = task;
  return { ...rest, status: 'cancelled', reason: `the plan was ${endedOutside}` };
}

/** When a worker last completed a Workflow Task of it. */
async function lastMoved(client: Client, workflowId: string, runId: string): Promise<Date | undefined> {
  const { history } = await client.workflowService
    .getWorkflowExecutionHistoryReverse({
      namespace: client.options.namespace,
      execution: { workflowId, runId },
      maximumPageSize: 100,
    })
    .catch(() => ({ history: undefined }));
  const stamp = history?.events?.find((event) => event.workflowTaskCompletedEventAttributes)?.eventTime;
  return stamp ? new Date(Number(stamp.seconds) * 1_000 + (stamp.nanos ?? 0) / 1e6) : undefined;
}
