import { dueAt } from './clocks.ts';
import { parseDuration } from './duration.ts';
import { record } from './events.ts';
import { evaluate, renderDeep, type Scope } from './expression.ts';
import type { Json, JsonObject } from './json.ts';
import { mayStart, type Plan, requeue, taskAt } from './plan.ts';
import { closeQuestion, openQuestion, type QuestionText, REJECT } from './questions.ts';
import { fail, skip, succeed } from './task-endings.ts';
import { parseTime } from './time.ts';
import { conclude, tellState } from './verdict.ts';

/** What the workflow is to do next. */
export interface Effects {
  /** Tasks whose next attempt is to be dispatched. */
  start: number[];
  /** Whether every running attempt is to be cancelled. */
  cancel: boolean;
}

/**
 * Takes a plan as far as it goes at this moment: fires what is due, decides what became ready, starts what may start,
 * and gives the verdict once nothing is left. Pure but for `plan.state`; linear in what it touches.
 */
export function advance(plan: Plan, now: number): Effects {
  const start: number[] = [];
  const { state, index } = plan;
  if (!state.verdict && !state.stop) {
    fireClocks(plan, now);
    // What ends at once may make others ready: go on until nothing more moves.
    while (mayStart(plan, now) && (index.candidates.length > 0 || index.instant.length > 0)) {
      for (const i of index.candidates.splice(0)) decide(plan, i, now);
      for (const i of index.instant.splice(0)) startInWorkflow(plan, i, now);
    }
    if (mayStart(plan, now)) startReady(plan, start, now);
  }
  conclude(plan, now);
  tellState(plan, now);
  return { start, cancel: state.stop !== undefined && !state.verdict && index.running.size > 0 };
}

function fireClocks(plan: Plan, now: number): void {
  const { state, index } = plan;
  if (state.pause || state.review) return;
  if (state.start_at !== undefined && state.start_at <= now) state.start_at = undefined;
  for (const i of index.clocks) {
    const { task, at } = taskAt(plan, i);
    if ((dueAt(at.clock) ?? Number.POSITIVE_INFINITY) > now) continue;
    at.clock = undefined;
    index.clocks.delete(i);
    if (at.question) questionTimedOut(plan, i, now);
    else if (at.status === 'backing_off') requeue(plan, i);
    else if (task.mode === 'clock') succeed(plan, i, {}, now);
  }
}

function questionTimedOut(plan: Plan, i: number, now: number): void {
  const { task, at } = taskAt(plan, i);
  const question = at.question!;
  const then = question.on_timeout ?? 'fail';
  record(plan.state, now, 'QuestionTimedOut', { task: task.id, question: question.id, message: then });
  if (then === 'hold') {
    question.overdue = true;
    return;
  }
  closeQuestion(plan, i);
  const expired = `expired at ${new Date(now).toISOString()}, outcome ${then}`;
  if (then === 'fail' || then === REJECT) fail(plan, i, { code: 'QUESTION_TIMED_OUT', message: expired }, now);
  else {
    at.reason = expired;
    succeed(plan, i, { choice: then, by: 'time-out', at: now }, now);
  }
}

/** What to do with a task whose needs have all ended: skip it, fail it, or let it start. */
function decide(plan: Plan, i: number, now: number): void {
  const { task, at } = taskAt(plan, i);
  if (at.status !== 'pending') return;
  const skipped = task.needs.find((need) => plan.state.tasks[need]!.status === 'skipped');
  const because = skipped === undefined ? undefined : `${plan.definition.tasks[skipped]!.id} was skipped`;
  if (task.if === undefined) {
    if (because) skip(plan, i, because, now);
    else makeReady(plan, i);
    return;
  }
  const value = attempt(() => evaluate(task.if!, scopeFor(plan, i)));
  if ('error' in value && because) skip(plan, i, because, now);
  else if ('error' in value) fail(plan, i, { code: 'TASK_INVALID', message: `if: ${value.error}` }, now);
  else if (value.ok === true) makeReady(plan, i);
  else if (value.ok === false) skip(plan, i, `its condition is false: ${task.if}`, now);
  else
    fail(
      plan,
      i,
      { code: 'TASK_INVALID', message: `if: ${task.if} is ${JSON.stringify(value.ok)}, not true or false` },
      now,
    );
}

function makeReady({ definition, state, index }: Plan, i: number): void {
  if (state.tasks[i]!.hold) index.held.add(i);
  else if (definition.tasks[i]!.mode === 'activity') index.ready.push(i);
  else index.instant.push(i);
}

const hasSlot = ({ definition, index }: Plan): boolean => index.running.size < definition.max_parallel;

/** Starts activities in order, as many as there are slots for. */
function startReady(plan: Plan, start: number[], now: number): void {
  const { index } = plan;
  while (index.ready.length > 0 && hasSlot(plan)) {
    const i = index.ready.shift()!;
    const { task, at } = taskAt(plan, i);
    at.status = 'running';
    at.attempts += 1;
    at.dispatch += 1;
    at.started_at ??= now;
    at.error = undefined;
    index.running.add(i);
    record(plan.state, now, 'TaskStarted', { task: task.id, attempt: at.attempts });
    start.push(i);
  }
}

/** Questions, waits and values need no worker: the workflow does them itself. */
function startInWorkflow(plan: Plan, i: number, now: number): void {
  const { task, at } = taskAt(plan, i);
  at.attempts += 1;
  at.started_at = now;
  record(plan.state, now, 'TaskStarted', { task: task.id, attempt: at.attempts });
  const rendered = attempt(() => renderDeep(task.with, scopeFor(plan, i)));
  if ('error' in rendered) fail(plan, i, { code: 'TASK_INVALID', message: rendered.error }, now);
  else IN_WORKFLOW[task.mode as keyof typeof IN_WORKFLOW](plan, i, rendered.ok, now);
}

const IN_WORKFLOW = {
  value: (plan: Plan, i: number, value: Json, now: number) => succeed(plan, i, value as JsonObject, now),
  question(plan: Plan, i: number, text: Json, now: number) {
    plan.state.tasks[i]!.status = 'waiting';
    openQuestion(plan, i, text as unknown as QuestionText, now);
  },
  clock(plan: Plan, i: number, spec: Json, now: number) {
    const due = waitUntil(spec, now);
    if (due === undefined) {
      const message = `wait: ${JSON.stringify(spec)} is neither a duration such as 30s nor a time with its zone`;
      fail(plan, i, { code: 'TASK_INVALID', message }, now);
      return;
    }
    const at = plan.state.tasks[i]!;
    at.status = 'waiting';
    at.clock = { due };
    plan.index.clocks.add(i);
  },
};

/** When a `wait` ends, ms since the epoch: after a duration, or at an ISO 8601 time. */
function waitUntil(spec: Json, now: number): number | undefined {
  if (typeof spec !== 'string') return undefined;
  const span = parseDuration(spec);
  if (span !== undefined) return now + span;
  const time = parseTime(spec);
  return time === undefined ? undefined : Math.max(now, time);
}

/** What a task's expressions may read: the inputs, and the tasks they name. */
export function scopeFor(plan: Plan, i: number): Scope {
  const { definition, state } = plan;
  const tasks: Scope['tasks'] = {};
  for (const j of definition.tasks[i]!.uses) {
    const at = state.tasks[j]!;
    tasks[definition.tasks[j]!.id] = { status: at.status, outputs: at.outputs ?? {} };
  }
  return { inputs: plan.inputs, tasks, plan: { id: plan.plan_id, name: definition.name, run: state.run } };
}

function attempt<T>(work: () => T): { ok: T } | { error: string } {
  try {
    return { ok: work() };
  } catch (thrown) {
    return { error: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}
