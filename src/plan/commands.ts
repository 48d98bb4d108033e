import { childOf } from './children.ts';
import { freeze, thaw } from './clocks.ts';
import { decideOnFailure } from './decision.ts';
import { record } from './events.ts';
import type { JsonObject } from './json.ts';
import { allows, COMMANDS, type CommandName, type RefusalCode } from './lifecycle.ts';
import { keepOutcome, type Outcome, outcomeOf } from './outcome.ts';
import { enqueue, inFlight, nameOf, type Plan, situation, taskAt } from './plan.ts';
import { type Answer, answerProblem, DECISION, findQuestion, findTask, REJECT, takeAnswer } from './questions.ts';
import { type Actor, type AnswerRecord, type Question, TASK_ENDED } from './state.ts';
import { fail, succeed } from './task-endings.ts';

/** A command as the workflow takes it; `at` is when it was given, ms since the epoch. */
export interface Command extends Answer {
  request_id: string;
  actor: Actor;
  at: number;
  /** Pause only: refuse rather than wait for running attempts (`Prefer: handling=strict`). */
  strict?: boolean;
  /** Pause only: what runs is ended at once, and runs again when the plan goes on. */
  interrupt?: true;
  /** Pause with `interrupt` only: why. */
  reason?: 'server_restart';
  /** Approve and answer: the question's id, or its task's. */
  question?: string;
  /** Hold and release. */
  task?: string;
  /** Marks what it is about, so that another command with the same `request_id` can be told from the same one again. */
  about?: string;
  /** Stop only, from a parent to its child: what runs is let end. */
  graceful?: true;
}

type Result = Pick<Outcome, 'result' | 'record' | 'to'> | { result: 'refused'; code: RefusalCode; message: string };
const DONE = { result: 'done' } as const;
const refused = (code: RefusalCode, message: string): Result => ({ result: 'refused', code, message });

/**
 * Decides on a command and applies it. The same `request_id` again changes nothing and has the same outcome.
 * Never throws: what is illegal is recorded and ignored.
 */
export function applyCommand(plan: Plan, name: CommandName, command: Command, now: number): Outcome {
  const before = outcomeOf(plan.state, command.request_id);
  if (before) return before;
  const result = decideCommand(plan, name, command, now);
  const { request_id, about } = command;
  const outcome: Outcome = { request_id, command: name, ...(typeof about === 'string' && { about }), ...result };
  if (outcome.result === 'refused')
    record(plan.state, now, 'CommandRefused', { by: command.actor.name, message: `${name}: ${outcome.message}` });
  keepOutcome(plan.state, outcome);
  return outcome;
}

function decideCommand(plan: Plan, name: CommandName, command: Command, now: number): Result {
  const present = situation(plan);
  if (plan.state.verdict && (name === 'answer' || (name === 'approve' && command.question)))
    return answer(plan, command, now);
  const cuts = name === 'pause' && command.interrupt === true && present.pausing;
  if (!allows(name, present) && !cuts) return refused('PLAN_INVALID_STATE', whyNot(plan, name));
  const child = childOf(plan, command.question ?? command.task);
  if (child) return { result: 'forwarded', to: child.key };
  return APPLY[name](plan, command, now);
}

function whyNot(plan: Plan, name: CommandName): string {
  const { status, pausing, stopping } = situation(plan);
  const is = stopping
    ? `being stopped by ${plan.state.stop?.by}`
    : pausing
      ? `being paused by ${plan.state.pause?.by}: a running task has to end first`
      : status;
  return `cannot ${COMMANDS[name].verb} a plan that is ${is}`;
}

const APPLY: Record<CommandName, (plan: Plan, command: Command, now: number) => Result> = {
  approve,
  pause,
  resume,
  stop,
  answer,
  hold,
  release,
};

/** Lets a plan out of review, or answers its one open approval, or a sub-plan's, with `approve`. */
function approve(plan: Plan, command: Command, now: number): Result {
  const { state } = plan;
  if (state.review) {
    state.review = undefined;
    record(state, now, 'PlanApproved', { by: command.actor.name });
    return DONE;
  }
  const open = openApprovals(plan);
  const named = command.question ?? (open.length === 1 ? open[0] : undefined);
  const child = childOf(plan, named);
  if (child) return { result: 'forwarded', to: child.key };
  if (named) return answer(plan, { ...command, question: named, choice: command.choice ?? 'approve' }, now);
  if (open.length === 0) return refused('PLAN_INVALID_STATE', 'the plan is not in review and no approval is open');
  return refused('REQUEST_INVALID', `more than one approval is open; name one of ${open.join(', ')}`);
}

/** Ids of the approvals that are open, in this plan and in what runs for it. */
export function openApprovals({ state, index }: Plan): string[] {
  const own = Array.from(index.questions, (i) => state.tasks[i]!.question!);
  const children = Array.from(index.children.values(), ({ told }) => told?.questions ?? []).flat();
  return [...own, ...children].filter(({ kind }) => kind === 'approve').map(({ id }) => id);
}

function pause(plan: Plan, { actor, at, strict, interrupt, reason, comment }: Command, now: number): Result {
  const { state, index } = plan;
  const draining = situation(plan).status === 'executing' && inFlight(plan);
  if (draining && strict)
    return refused(
      'PLAN_INVALID_STATE',
      'cannot pause a plan that is executing: a task is running, and strict handling was asked for',
    );
  const since = within(at, state.created_at, now);
  // What a limit holds has to be raised first, whatever else holds the plan.
  if (!state.pause?.limit)
    state.pause = { reason: interrupt ? (reason ?? 'interrupted') : 'paused', since, by: actor.name };
  if (interrupt) for (const i of index.running) state.tasks[i]!.interrupted = true;
  for (const i of index.clocks) {
    const task = state.tasks[i]!;
    task.clock = freeze(task.clock!, since);
  }
  if (state.deadline) state.deadline = freeze(state.deadline, since);
  record(state, now, 'PlanPaused', {
    by: actor.name,
    ...(interrupt && { message: 'interrupted' }),
    ...told(comment),
  });
  return draining ? { result: 'accepted' } : DONE;
}

function resume(plan: Plan, { actor }: Command, now: number): Result {
  const { state, index } = plan;
  state.pause = undefined;
  // Whoever resumes a plan that waits for its start time means now.
  state.start_at = undefined;
  for (const i of index.clocks) {
    const task = state.tasks[i]!;
    task.clock = thaw(task.clock!, now);
  }
  if (state.deadline) state.deadline = thaw(state.deadline, now);
  record(state, now, 'PlanResumed', { by: actor.name });
  // Document 1: a resumed plan stands by, its next execution now; what follows is recorded at once after it.
  state.told = { status: 'stand_by', next_execution_at: new Date(now).toISOString() };
  record(state, now, 'PlanStateChanged', { state: state.told });
  return DONE;
}

function stop(plan: Plan, { actor, at, graceful, comment }: Command, now: number): Result {
  const { state } = plan;
  state.stop = { by: actor.name, at: within(at, state.created_at, now), ...(graceful && { graceful }) };
  record(state, now, 'PlanStopped', { by: actor.name, ...told(comment) });
  return DONE;
}

/** What somebody said with a command, for those who read the story. */
const told = (comment: string | undefined) => (comment === undefined || comment === '' ? {} : { details: { comment } });

function answer(plan: Plan, command: Command, now: number): Result {
  if (!command.question) return refused('REQUEST_INVALID', 'question: missing; name the question to answer');
  const found = findQuestion(plan, command.question, command);
  if ('refused' in found) return refused(found.refused, found.message);
  if ('repeated' in found) return { result: 'done', record: found.repeated };
  const problem = answerProblem(found.question, command);
  if (problem) return refused('ANSWER_INVALID', problem);
  const given = takeAnswer(plan, found.task, command, command.actor, now);
  endByAnswer(plan, found.task, found.question, given, now);
  return { result: 'done', record: given };
}

/** What an answer means for the task that asked: the choice `reject` fails it, any other succeeds. */
function endByAnswer(plan: Plan, i: number, { kind }: Question, answer: AnswerRecord, now: number): void {
  if (kind === DECISION) decideOnFailure(plan, i, answer, now);
  else if (answer.choice !== REJECT) succeed(plan, i, { ...answer } as unknown as JsonObject, now);
  else fail(plan, i, { code: 'REJECTED', message: `rejected by ${answer.by}${commentOf(answer)}` }, now);
}
const commentOf = ({ comment }: AnswerRecord) => (comment ? `: ${comment}` : '');

function hold(plan: Plan, command: Command, now: number): Result {
  const i = findTask(plan, command.task ?? '');
  if (i === undefined) return noSuchTask(plan, command.task ?? '');
  const { task, at } = taskAt(plan, i);
  if (at.hold) return refused('PLAN_INVALID_STATE', `task ${task.id} is held already, by ${at.hold.by}`);
  if (TASK_ENDED.includes(at.status) || at.status === 'running' || at.status === 'waiting')
    return refused('PLAN_INVALID_STATE', `task ${task.id} is ${at.status}; only what has not begun can be held`);
  at.hold = {
    reason: 'hand',
    since: now,
    by: command.actor.name,
    ...(command.comment !== undefined && { comment: command.comment }),
  };
  const { ready, instant, held } = plan.index;
  for (const queue of [ready, instant]) {
    const place = queue.indexOf(i);
    if (place === -1) continue;
    queue.splice(place, 1);
    held.add(i);
  }
  record(plan.state, now, 'TaskHeld', { task: nameOf(plan, i), by: command.actor.name });
  return DONE;
}

function release(plan: Plan, command: Command, now: number): Result {
  const i = findTask(plan, command.task ?? '');
  if (i === undefined) return refused('TASK_NOT_FOUND', `the plan has no task "${command.task}"`);
  const { task, at } = taskAt(plan, i);
  if (!at.hold) return refused('PLAN_INVALID_STATE', `task ${task.id} is not held`);
  at.hold = undefined;
  if (plan.index.held.delete(i)) enqueue(plan, i);
  record(plan.state, now, 'TaskReleased', { task: nameOf(plan, i), by: command.actor.name });
  return DONE;
}

/** What is inside a map or sub-plan can be held while that is at work. */
function noSuchTask(plan: Plan, name: string): Result {
  const outer = findTask(plan, name.replace(/[[/].*$/s, ''));
  if (outer === undefined || !/[[/]/.test(name)) return refused('TASK_NOT_FOUND', `the plan has no task "${name}"`);
  const { task, at } = taskAt(plan, outer);
  return refused('PLAN_INVALID_STATE', `"${name}" cannot be held while ${task.id} is ${at.status}; hold ${task.id}`);
}

/** A caller's clock may be off: never before the plan began, never after the command came. */
const within = (at: number, from: number, to: number) => Math.min(Math.max(Number.isFinite(at) ? at : to, from), to);

/** Operators may send a signal by hand, with nothing in it: it is then taken as theirs, given now. */
export function commandFrom(given: unknown, now: number, seq: number): Command {
  const fields: Partial<Command> = typeof given === 'object' && given !== null ? given : {};
  const { actor } = fields;
  return {
    ...fields,
    request_id: typeof fields.request_id === 'string' ? fields.request_id : `by-hand-${seq}`,
    actor: typeof actor?.name === 'string' ? actor : { id: 'temporal', name: 'operator (Temporal)' },
    at: typeof fields.at === 'number' ? fields.at : now,
  };
}
