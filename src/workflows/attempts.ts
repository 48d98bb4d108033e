import { TimeoutType } from '@temporalio/common';
import {
  ActivityCancellationType,
  ActivityFailure,
  type ActivityOptions,
  ApplicationFailure,
  isCancellation,
  scheduleActivity,
  TimeoutFailure,
} from '@temporalio/workflow';
import { activityId, TASK_INVALID } from '../contract/names.ts';
import { PayloadTooLarge, payload } from '../contract/payload-size.ts';
import {
  type AttemptInput,
  type AttemptResult,
  type FailureAsides,
  HEARTBEAT_TIMEOUT_MS,
  type PlanInput,
} from '../contract/payloads.ts';
import type { Seen } from '../plan/attempt.ts';
import { inlineLimit } from '../plan/inline.ts';
import type { Json } from '../plan/json.ts';
import { nameOf, type Plan, taskAt } from '../plan/plan.ts';
import { scopeFor } from '../plan/scope.ts';

/** A task's own time-out is kept inside the activity; this margin lets it end its processes first. */
const TIMEOUT_MARGIN_MS = 30_000;
const NO_TIMEOUT_MS = 3_650 * 86_400_000;

/** Dispatches a task's present attempt as one activity, never retried by Temporal; tells how it ended, and never throws. */
export async function runAttempt(plan: Plan, input: PlanInput, i: number): Promise<Seen> {
  const { task, at } = taskAt(plan, i);
  const timeout = task.timeout_ms === undefined ? NO_TIMEOUT_MS : task.timeout_ms + TIMEOUT_MARGIN_MS;
  const options: ActivityOptions = {
    activityId: activityId(nameOf(plan, i), at.attempts, at.dispatch),
    taskQueue: input.task_queue,
    startToCloseTimeout: timeout,
    heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
    retry: { maximumAttempts: 1 },
    // A cancelled attempt has ended only when its processes have.
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary: task.id,
  };
  try {
    const made = payload(`what task ${task.id} is given`, attemptInput(plan, input, i));
    const result = await scheduleActivity<AttemptResult>(task.kind, [made], options);
    return { how: 'returned', ...result };
  } catch (failure) {
    return seen(failure);
  }
}

function attemptInput(plan: Plan, input: PlanInput, i: number): AttemptInput {
  const { task, at } = taskAt(plan, i);
  const { state, definition, plan_id } = plan;
  return {
    schema_version: 1,
    principal: input.principal,
    plan_id,
    run: state.run,
    task: nameOf(plan, i),
    kind: task.kind,
    attempt: at.attempts,
    dispatch: at.dispatch,
    with: task.with,
    scope: scopeFor(plan, i),
    env: { ...definition.env, ...task.env },
    place: input.place,
    ...(task.timeout_ms !== undefined && { timeout_ms: task.timeout_ms }),
    idempotency_key: `${plan_id}/${state.generation}/${nameOf(plan, i)}${doneAnew(input.child?.again, at.again)}`,
    inline_limit: inlineLimit(state.inline_bytes),
    ...(input.charged_to && { charged_to: input.charged_to }),
    ...(input.model_profile !== undefined && { model_profile: input.model_profile }),
  };
}

/** What is done anew after it had ended is another request to whoever gets it. */
export const doneAnew = (around = '', own = 0): string => (own > 0 ? `${around}~${own}` : around);

/** The one place where Temporal's failures are put into plain words. */
function seen(failure: unknown): Seen {
  if (failure instanceof PayloadTooLarge) return { how: 'failed', type: TASK_INVALID, message: failure.message };
  if (isCancellation(failure)) return { how: 'cancelled' };
  const cause = failure instanceof ActivityFailure ? failure.cause : failure;
  if (cause instanceof TimeoutFailure)
    return {
      how: 'timed_out',
      what: TIMEOUTS[cause.timeoutType ?? TimeoutType.START_TO_CLOSE],
      ...(cause.lastHeartbeatDetails !== undefined && { heard: cause.lastHeartbeatDetails as Json }),
    };
  if (cause instanceof ApplicationFailure) {
    const [details, asides] = (cause.details ?? []) as [Json?, FailureAsides?];
    return {
      how: 'failed',
      type: cause.type ?? 'Error',
      message: cause.message,
      ...(details !== undefined && details !== null && { details }),
      ...(asides?.warnings && { warnings: asides.warnings }),
    };
  }
  return { how: 'failed', type: 'Error', message: cause instanceof Error ? cause.message : String(cause) };
}

const TIMEOUTS = {
  [TimeoutType.HEARTBEAT]: 'heartbeat',
  [TimeoutType.START_TO_CLOSE]: 'start_to_close',
  [TimeoutType.SCHEDULE_TO_START]: 'schedule',
  [TimeoutType.SCHEDULE_TO_CLOSE]: 'schedule',
} as const;
