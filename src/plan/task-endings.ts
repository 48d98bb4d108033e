import { type AttemptEnd, backoffDelay, LOSSES_ALLOWED } from './attempt.ts';
import { startClock } from './clocks.ts';
import type { Outputs } from './definition.ts';
import { record } from './events.ts';
import type { JsonObject } from './json.ts';
import { type Plan, requeue, taskAt } from './plan.ts';
import { closeQuestion, REJECT } from './questions.ts';
import { type AnswerRecord, TASK_ENDED, type TaskError } from './state.ts';

/** Acts on the end of a task's running attempt. */
export function attemptEnded(plan: Plan, i: number, end: AttemptEnd, now: number): void {
  const { task, at } = taskAt(plan, i);
  const { state, index } = plan;
  if (at.status !== 'running') return;
  index.running.delete(i);
  if (end.status === 'succeeded') {
    succeed(plan, i, end.outputs, now);
  } else if (state.stop || (end.status === 'cancelled' && state.verdict)) {
    cancelTask(plan, i, `stopped by ${state.stop?.by}`, now);
  } else if (end.status === 'lost') {
    at.lost = at.lost_mark === state.successes ? at.lost + 1 : 1;
    at.lost_mark = state.successes;
    record(state, now, 'TaskLost', { task: task.id, attempt: at.attempts, message: end.message });
    if (at.lost >= LOSSES_ALLOWED) {
      const message = `its worker was lost ${at.lost} times in a row; ${end.message}`;
      fail(plan, i, { code: 'WORKER_LOST', message }, now);
    } else {
      at.attempts -= 1;
      requeue(plan, i);
    }
  } else if (end.status === 'cancelled') {
    fail(plan, i, { code: 'TASK_CANCELLED', message: 'the attempt was cancelled from outside the plan' }, now);
  } else {
    failOrRetry(plan, i, end, now);
  }
}

function failOrRetry(plan: Plan, i: number, end: AttemptEnd & { status: 'failed' }, now: number): void {
  const { task, at } = taskAt(plan, i);
  const { state, index } = plan;
  const again = end.retryable && at.attempts < task.retry.max_attempts && index.fatal.length === 0;
  if (!again) {
    fail(plan, i, end.error, now);
    return;
  }
  const delay = backoffDelay(task.retry, at.attempts);
  at.status = 'backing_off';
  at.error = end.error;
  at.dispatch = 0;
  at.clock = state.pause ? { remaining: delay } : startClock(delay, now);
  index.clocks.add(i);
  record(state, now, 'TaskRetried', {
    task: task.id,
    attempt: at.attempts,
    message: end.error.message,
    details: { delay_ms: delay, attempts: at.attempts, max_attempts: task.retry.max_attempts },
  });
}

/** Ends a question's task by its answer: `reject` fails it, any other choice succeeds. */
export function endByAnswer(plan: Plan, i: number, answer: AnswerRecord, now: number): void {
  if (answer.choice === REJECT)
    fail(plan, i, { code: 'REJECTED', message: `rejected by ${answer.by}${comment(answer)}` }, now);
  else succeed(plan, i, { ...answer } as unknown as JsonObject, now);
}
const comment = (answer: AnswerRecord) => (answer.comment ? `: ${answer.comment}` : '');

export function succeed(plan: Plan, i: number, outputs: Outputs, now: number): void {
  const { task, at } = taskAt(plan, i);
  at.status = 'succeeded';
  at.outputs = outputs;
  plan.state.inline_bytes += JSON.stringify(outputs).length;
  at.error = undefined;
  plan.state.successes += 1;
  record(plan.state, now, 'TaskSucceeded', { task: task.id, attempt: at.attempts });
  ended(plan, i, now);
}

export function fail(plan: Plan, i: number, error: TaskError, now: number): void {
  const { task, at } = taskAt(plan, i);
  at.status = 'failed';
  at.error = error;
  record(plan.state, now, 'TaskFailed', { task: task.id, attempt: at.attempts, message: error.message });
  if (task.on_failure === 'fail') plan.index.fatal.push(i);
  ended(plan, i, now);
}

export function skip(plan: Plan, i: number, reason: string, now: number): void {
  const { task, at } = taskAt(plan, i);
  at.status = 'skipped';
  at.reason = reason;
  record(plan.state, now, 'TaskSkipped', { task: task.id, message: reason });
  ended(plan, i, now);
}

export function cancelTask(plan: Plan, i: number, reason: string, now: number): void {
  const { task, at } = taskAt(plan, i);
  if (TASK_ENDED.includes(at.status)) return;
  // A task that had not begun needs no event of its own: the plan's says it.
  if (at.status !== 'pending') record(plan.state, now, 'TaskCancelled', { task: task.id, message: reason });
  closeQuestion(plan, i);
  at.status = 'cancelled';
  at.reason = reason;
  ended(plan, i, now);
}

function ended({ state, index }: Plan, i: number, now: number): void {
  state.tasks[i]!.ended_at = now;
  index.ended += 1;
  for (const dependent of index.dependents[i]!) {
    index.unmet[dependent]! -= 1;
    if (index.unmet[dependent] === 0) index.candidates.push(dependent);
  }
}
