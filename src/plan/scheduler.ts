import type { Child, Ending } from './child.ts';
import { dueAt } from './clocks.ts';
import { deadlinePassed, startDeadline } from './deadline.ts';
import { conditionShown, type Handler } from './definition.ts';
import type { Effects } from './effects.ts';
import { record } from './events.ts';
import { evaluate } from './expression.ts';
import { startInWorkflow } from './in-workflow.ts';
import { started } from './iteration.ts';
import type { Json } from './json.ts';
import { settleSlot } from './line.ts';
import { startMaps } from './map.ts';
import { enqueue, inFlight, mayStart, nameOf, type Plan, slotsTaken, taskAt } from './plan.ts';
import { closeQuestion, REJECT } from './questions.ts';
import { attempt, readsStored, scopeFor } from './scope.ts';
import { cutSegment, mayBeInside } from './segment.ts';
import { fail, skip, succeed } from './task-endings.ts';
import { conclude, tellState } from './verdict.ts';

/**
 * Takes a plan as far as it goes at this moment: fires what is due, decides what became ready, starts what may start,
 * and gives the verdict once nothing is left. Pure but for `plan.state`; linear in what it touches.
 */
export function advance(plan: Plan, now: number): Effects {
  const effects: Effects = { attempts: [], asides: [], children: [], cancel: false };
  const { state } = plan;
  if (!state.verdict && !state.stop) {
    fireClocks(plan, now);
    startDeadline(plan, now);
    do startWhatMay(plan, effects, now);
    while (conclude(plan, now));
  } else conclude(plan, now);
  const slot = settleSlot(plan, now);
  tellState(plan, now);
  const ending = howToEnd(plan);
  if (ending) for (const child of plan.index.children.values()) if (child.ending !== 'cancel') child.ending = ending;
  return { ...effects, cancel: ending === 'cancel', ...(slot && { slot }) };
}

/** What is in flight is to be cancelled, or is to start nothing more. */
function howToEnd({ state, index }: Plan): Ending | undefined {
  if (state.verdict) return undefined;
  if ((state.stop && !state.stop.graceful) || state.closing?.phase === 'cancel') return 'cancel';
  return state.stop || (index.fatal.length > 0 && !state.closing) ? 'wind_down' : undefined;
}

function startWhatMay(plan: Plan, effects: Effects, now: number): void {
  const { index } = plan;
  // What ends at once may make others ready: go on until nothing more moves.
  do {
    if (!mayStart(plan, now)) return;
    for (const i of index.candidates.splice(0)) decide(plan, i, effects, now);
    if (!mayStart(plan, now)) return;
    for (const i of index.instant.splice(0)) startInWorkflow(plan, i, effects, now);
    if (mayStart(plan, now)) startMaps(plan, effects, now);
  } while (index.candidates.length > 0 || index.instant.length > 0);
  if (mayStart(plan, now)) startReady(plan, effects, now);
}

function fireClocks(plan: Plan, now: number): void {
  const { state, index } = plan;
  if (state.pause || state.review) return;
  if (state.start_at !== undefined && state.start_at <= now) state.start_at = undefined;
  if (isDue(dueAt(state.deadline), now)) deadlinePassed(plan, now);
  for (const i of index.clocks) {
    const { task, at } = taskAt(plan, i);
    if (!isDue(dueAt(at.clock), now)) continue;
    at.clock = undefined;
    index.clocks.delete(i);
    if (at.question) questionTimedOut(plan, i, now);
    else if (at.status === 'backing_off') enqueue(plan, i, true);
    else if (task.mode === 'clock') succeed(plan, i, {}, now);
  }
}

const isDue = (due: number | undefined, now: number): boolean => due !== undefined && due <= now;

function questionTimedOut(plan: Plan, i: number, now: number): void {
  const { at } = taskAt(plan, i);
  const question = at.question!;
  const then = question.on_timeout ?? 'fail';
  record(plan.state, now, 'QuestionTimedOut', { task: nameOf(plan, i), question: question.id, message: then });
  if (then === 'hold') {
    question.overdue = true;
    return;
  }
  closeQuestion(plan, i);
  const expired = `expired at ${new Date(now).toISOString()}, outcome ${then}`;
  if (then === 'fail' || then === REJECT) fail(plan, i, { code: 'QUESTION_TIMED_OUT', message: expired }, now);
  else {
    at.reason = expired;
    succeed(plan, i, { choice: then, by: 'time-out', at: now, timed_out: true }, now);
  }
}

/** What to do with a task whose needs have all ended: skip it, fail it, or let it start. */
function decide(plan: Plan, i: number, effects: Effects, now: number): void {
  const { task, at } = taskAt(plan, i);
  if (at.status !== 'pending') return;
  const because = whySkipped(plan, i);
  if (task.if === undefined) {
    if (because) skip(plan, i, because, now);
    else enqueue(plan, i);
    return;
  }
  if (readsStored(plan, i)) {
    plan.index.asides.add(i);
    effects.asides.push({ task: i, work: { what: 'if' } });
    return;
  }
  decideBy(
    plan,
    i,
    attempt(() => evaluate(task.if!, scopeFor(plan, i))),
    now,
  );
}

/** Steps of `on_failure` and `on_success` end with the first that fails; those of `finally` clean up, and all have their turn. */
const stopsAtFailure = (handler: Handler | undefined): boolean => handler !== undefined && handler !== 'finally';

/** A skipped task skips its dependents. */
function whySkipped({ definition, state }: Plan, i: number): string | undefined {
  const { needs, handler } = definition.tasks[i]!;
  for (const need of needs) {
    const { status } = state.tasks[need]!;
    if (status === 'skipped' || (stopsAtFailure(handler) && status === 'failed'))
      return `${definition.tasks[need]!.id} ${status === 'failed' ? 'failed' : 'was skipped'}`;
  }
  return undefined;
}

/** Goes on with a task whose condition has been computed. */
export function decideBy(plan: Plan, i: number, value: { ok: Json } | { error: string }, now: number): void {
  const { task } = taskAt(plan, i);
  const because = whySkipped(plan, i);
  const invalid = (message: string) => fail(plan, i, { code: 'TASK_INVALID', message: `if: ${message}` }, now);
  if ('error' in value) because ? skip(plan, i, because, now) : invalid(value.error);
  else if (value.ok === true) enqueue(plan, i);
  else if (value.ok === false) skip(plan, i, `its condition is false: ${conditionShown(task) ?? task.if}`, now);
  else invalid(`${task.if} is ${JSON.stringify(value.ok).slice(0, 100)}, not true or false`);
}

const hasSlot = (plan: Plan): boolean => slotsTaken(plan) < plan.definition.max_parallel;

/** Starts activities and sub-plans in order, as many as there are slots for. */
function startReady(plan: Plan, effects: Effects, now: number): void {
  const { index } = plan;
  const full = index.room === 'overflow';
  const own = full ? index.ready.filter((i) => !mayBeInside(plan, i)) : index.ready;
  if (full) index.ready = index.ready.filter((i) => mayBeInside(plan, i));
  while (own.length > 0 && hasSlot(plan)) {
    const i = own.shift()!;
    const { task, at } = taskAt(plan, i);
    if (task.mode !== 'activity') {
      startInWorkflow(plan, i, effects, now);
      continue;
    }
    begun(plan, i, now);
    index.running.add(i);
    effects.attempts.push(i);
    at.error = undefined;
  }
  if (!full) return;
  startSegment(plan, effects);
  index.ready.push(...own);
}

/** Marks the begin of an attempt. */
function begun(plan: Plan, i: number, now: number): void {
  const { at } = taskAt(plan, i);
  at.status = 'running';
  at.attempts += 1;
  at.dispatch += 1;
  at.started_at ??= now;
  record(plan.state, now, 'TaskStarted', started(plan, i));
}

/**
 * The history is full and something long is in flight: what is ready goes to a segment, with what follows from it. Once only
 * segments are in flight, they are let end, and the next run takes over.
 */
function startSegment(plan: Plan, effects: Effects): void {
  const { index, definition } = plan;
  const long = inFlight(plan) && (index.running.size > 0 || [...index.children.values()].some(isLong));
  const slots = definition.max_parallel - slotsTaken(plan);
  if (!long || slots <= 0) return;
  const child = cutSegment(plan, slots);
  if (child) effects.children.push(child);
}
const isLong = ({ what }: Child): boolean => what.kind !== 'segment';
