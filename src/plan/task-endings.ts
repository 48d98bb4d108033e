import { type AttemptEnd, backoffDelay, LOSSES_ALLOWED } from './attempt.ts';
import { startClock } from './clocks.ts';
import type { Outputs } from './definition.ts';
import { record } from './events.ts';
import { kept } from './inline.ts';
import type { JsonObject } from './json.ts';
import type { Warning } from './ledger.ts';
import { holdByLimit, type LimitDetails, limitWords, warningWords } from './limits.ts';
import { enqueue, isFatal, nameOf, type Plan, phaseOf, taskAt } from './plan.ts';
import { askWhatToDo, closeQuestion } from './questions.ts';
import { TASK_ENDED, type TaskError } from './state.ts';

/** Acts on the end of a task's running attempt. */
export function attemptEnded(plan: Plan, i: number, end: AttemptEnd, now: number): void {
  const { at } = taskAt(plan, i);
  const { index } = plan;
  if (at.status !== 'running') return;
  index.running.delete(i);
  const interrupted = at.interrupted && end.status === 'cancelled';
  at.interrupted = undefined;
  if ('warnings' in end) for (const warning of end.warnings ?? []) warn(plan, i, warning, now);
  if (end.status === 'succeeded') {
    if (end.files_in !== undefined) at.files_in = end.files_in;
    succeed(plan, i, end.outputs, now);
  } else if (isBeingCancelled(plan)) cancelTask(plan, i, whyCancelled(plan), now);
  else if (end.status === 'lost') lost(plan, i, end, now);
  else if (end.status === 'limited') limited(plan, i, end.limit, now);
  else if (interrupted) again(plan, i, now);
  else if (end.status === 'cancelled')
    fail(plan, i, { code: 'TASK_CANCELLED', message: 'the attempt was cancelled from outside the plan' }, now);
  else failOrRetry(plan, i, end, now);
}

/** Most of a limit is spent, as a call of the task was told. */
function warn(plan: Plan, i: number, { scope: _, ...warning }: Warning, now: number): void {
  record(plan.state, now, 'LimitWarning', {
    task: nameOf(plan, i),
    message: warningWords(warning),
    details: { ...warning },
  });
}

const isBeingCancelled = ({ state }: Plan): boolean =>
  (state.stop !== undefined && !state.stop.graceful) || state.closing?.phase === 'cancel';

/** Why what had not ended was cancelled. */
export function whyCancelled({ definition, state, index }: Plan): string {
  if (state.stop) return `stopped by ${state.stop.by}`;
  const [first] = index.fatal;
  if (first !== undefined) return `task ${definition.tasks[first]!.id} failed`;
  return state.error?.message ?? '';
}

/** Its attempt was ended by an interruption: it counts as not made. */
function again(plan: Plan, i: number, now: number): void {
  const { at } = taskAt(plan, i);
  record(plan.state, now, 'TaskInterrupted', { task: nameOf(plan, i), attempt: at.attempts });
  at.attempts -= 1;
  enqueue(plan, i, true);
}

/** It reached a limit: the attempt counts as not made, and the plan is held until somebody says that it goes on. */
function limited(plan: Plan, i: number, limit: LimitDetails, now: number): void {
  const { at } = taskAt(plan, i);
  const told = { message: limitWords(limit), details: { ...limit } as JsonObject };
  record(plan.state, now, 'TaskInterrupted', { task: nameOf(plan, i), attempt: at.attempts, ...told });
  at.attempts -= 1;
  enqueue(plan, i, true);
  holdByLimit(plan, limit, now);
}

function lost(plan: Plan, i: number, { message, kept }: AttemptEnd & { status: 'lost' }, now: number): void {
  const { at } = taskAt(plan, i);
  const { state } = plan;
  const before = at.lost_mark === state.successes ? at.lost : 0;
  // What goes on behind what it has kept gets to its end, however often.
  at.lost = kept ? 0 : before + 1;
  at.lost_mark = state.successes;
  record(state, now, 'TaskLost', { task: nameOf(plan, i), attempt: at.attempts, message });
  if (at.lost >= LOSSES_ALLOWED) {
    fail(plan, i, { code: 'WORKER_LOST', message: lostWords(at.lost) }, now);
    return;
  }
  at.attempts -= 1;
  enqueue(plan, i, true);
}

const lostWords = (times: number): string =>
  `its worker was lost ${times} times in a row, and nothing was done in between: see in the log of the engine why that ended, then run it again`;

function failOrRetry(plan: Plan, i: number, end: AttemptEnd & { status: 'failed' }, now: number): void {
  const { task, at } = taskAt(plan, i);
  const { state, index } = plan;
  const tries = at.attempts - (at.forgiven ?? 0);
  const failing = index.fatal.length > 0 && !task.handler;
  const again = end.retryable && tries < task.retry.max_attempts && !failing;
  if (!again) {
    fail(plan, i, end.error, now);
    return;
  }
  const delay = backoffDelay(task.retry, tries);
  at.status = 'backing_off';
  at.error = end.error;
  at.dispatch = 0;
  at.clock = state.pause ? { remaining: delay } : startClock(delay, now);
  index.clocks.add(i);
  record(state, now, 'TaskRetried', {
    task: nameOf(plan, i),
    attempt: at.attempts,
    message: end.error.message,
    details: { delay_ms: delay, attempts: tries, max_attempts: task.retry.max_attempts },
  });
}

export function succeed(plan: Plan, i: number, outputs: Outputs, now: number): void {
  const { at } = taskAt(plan, i);
  at.status = 'succeeded';
  at.outputs = kept(outputs, plan.state.inline_bytes);
  at.error = undefined;
  if (at.map?.batches.some((left) => left?.files)) at.made = { map: at.map };
  at.map = undefined;
  at.gone = undefined;
  plan.state.inline_bytes += JSON.stringify(at.outputs).length;
  plan.state.successes += 1;
  record(plan.state, now, 'TaskSucceeded', { task: nameOf(plan, i), attempt: at.attempts });
  ended(plan, i, now);
}

/** A task's failure: with `on_failure: hold` somebody is asked what to do, unless the plan is failing or ending anyway. */
export function fail(plan: Plan, i: number, error: TaskError, now: number): void {
  const { task, at } = taskAt(plan, i);
  at.error = error;
  record(plan.state, now, 'TaskFailed', { task: nameOf(plan, i), attempt: at.attempts, message: error.message });
  if (task.on_failure === 'hold' && plan.index.fatal.length === 0 && !plan.state.stop) askWhatToDo(plan, i, now);
  else failForGood(plan, i, now);
}

export function failForGood(plan: Plan, i: number, now: number): void {
  const { task, at } = taskAt(plan, i);
  at.status = 'failed';
  if (isFatal(task, at)) plan.index.fatal.push(i);
  ended(plan, i, now);
}

export function skip(plan: Plan, i: number, reason: string, now: number): void {
  const { at } = taskAt(plan, i);
  at.status = 'skipped';
  at.reason = reason;
  record(plan.state, now, 'TaskSkipped', { task: nameOf(plan, i), message: reason });
  ended(plan, i, now);
}

export function cancelTask(plan: Plan, i: number, reason: string, now: number): void {
  const { at } = taskAt(plan, i);
  if (TASK_ENDED.includes(at.status)) return;
  // A task that had not begun needs no event of its own: the plan's says it.
  if (at.status !== 'pending') record(plan.state, now, 'TaskCancelled', { task: nameOf(plan, i), message: reason });
  closeQuestion(plan, i);
  plan.index.maps.delete(i);
  at.status = 'cancelled';
  at.reason = reason;
  ended(plan, i, now);
}

/** Counts a task as ended, and lets those that waited for it be decided on. */
export function ended({ definition, state, index }: Plan, i: number, now: number): void {
  state.tasks[i]!.ended_at ??= now;
  index.open[phaseOf(definition.tasks[i]!)] -= 1;
  for (const dependent of index.dependents[i]!) {
    index.unmet[dependent]! -= 1;
    if (index.unmet[dependent] === 0) index.candidates.push(dependent);
  }
}
