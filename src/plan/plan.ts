import { dueAt } from './clocks.ts';
import type { PlanDefinition, TaskDefinition } from './definition.ts';
import type { JsonObject } from './json.ts';
import type { PlanStateView, Situation } from './lifecycle.ts';
import { type PlanState, TASK_ENDED, type TaskState } from './state.ts';

/** A plan at work: what it is, where it stands, and an index over both that is made anew whenever a run begins. */
export interface Plan {
  plan_id: string;
  definition: PlanDefinition;
  inputs: JsonObject;
  state: PlanState;
  index: PlanIndex;
}

/** Derived from definition and state, never carried: counts and queues that keep every step linear in what it touches. */
export interface PlanIndex {
  byId: Map<string, number>;
  dependents: number[][];
  /** Per task: needs that have not ended. */
  unmet: number[];
  /** Pending tasks whose needs have all ended and that nobody has decided on yet. */
  candidates: number[];
  /** Activities that may start, in order; they wait for a slot, or for the plan to be let on. */
  ready: number[];
  /** Questions, waits and values that may start; they need no slot. */
  instant: number[];
  /** Tasks that may start but for a hold point set on them. */
  held: Set<number>;
  running: Set<number>;
  questions: Set<number>;
  /** Tasks with a clock. */
  clocks: Set<number>;
  ended: number;
  /** Tasks that failed and thereby fail the plan. */
  fatal: number[];
  /** The history grows long: nothing new starts until what runs has ended and the next run takes over. */
  draining: boolean;
}

export function makePlan(plan: Omit<Plan, 'index'>): Plan {
  return { ...plan, index: makeIndex(plan.definition, plan.state) };
}

function makeIndex(definition: PlanDefinition, state: PlanState): PlanIndex {
  const { tasks } = definition;
  const index: PlanIndex = {
    byId: new Map(tasks.map((task, i) => [task.id, i])),
    dependents: tasks.map(() => []),
    unmet: tasks.map((task) => task.needs.length),
    candidates: [],
    ready: [],
    instant: [],
    held: new Set(),
    running: new Set(),
    questions: new Set(),
    clocks: new Set(),
    ended: 0,
    fatal: [],
    draining: false,
  };
  tasks.forEach((task, i) => {
    for (const need of task.needs) index.dependents[need]!.push(i);
  });
  state.tasks.forEach((task, i) => {
    if (task.question) index.questions.add(i);
    if (task.clock) index.clocks.add(i);
    if (task.status === 'running') index.running.add(i);
    if (!TASK_ENDED.includes(task.status)) return;
    index.ended += 1;
    if (task.status === 'failed' && tasks[i]!.on_failure === 'fail') index.fatal.push(i);
    for (const dependent of index.dependents[i]!) index.unmet[dependent]! -= 1;
  });
  index.candidates = tasks.flatMap((_, i) => (state.tasks[i]!.status === 'pending' && index.unmet[i] === 0 ? [i] : []));
  return index;
}

/** A task by its index: what it is, and where it stands. */
export function taskAt(plan: Plan, i: number): { task: TaskDefinition; at: TaskState } {
  return { task: plan.definition.tasks[i]!, at: plan.state.tasks[i]! };
}

/** Puts an activity that has begun before at the head of the queue, or with the held ones. */
export function requeue({ state, index }: Plan, i: number): void {
  const task = state.tasks[i]!;
  task.status = 'pending';
  if (task.hold) index.held.add(i);
  else index.ready.unshift(i);
}

/** Whether work may go on: not held, not stopped, not failing, and its start time has come. */
export function mayStart(plan: Plan, now: number): boolean {
  const { state, index } = plan;
  if (state.verdict || state.stop || state.pause || state.review) return false;
  if (index.draining || index.fatal.length > 0) return false;
  return state.start_at === undefined || state.start_at <= now;
}

/** When a clock next runs out, ms since the epoch; undefined when none runs. While held, none does. */
export function nextDue(plan: Plan): number | undefined {
  const { state, index } = plan;
  if (state.verdict || state.stop || state.pause || state.review) return undefined;
  const dues = [state.start_at, ...Array.from(index.clocks, (i) => dueAt(state.tasks[i]!.clock))];
  return dues.reduce(
    (least, due) => (due !== undefined && (least === undefined || due < least) ? due : least),
    undefined,
  );
}

/** The plan's state; it follows from tasks, holds, questions and clocks, and is stored nowhere else. */
export function planState(plan: Plan): PlanStateView {
  const { state, index } = plan;
  if (state.verdict) return { status: state.verdict };
  if (state.review) return { status: 'pending_review' };
  if (index.running.size > 0) return { status: 'executing' };
  if (state.pause) return { status: 'paused' };
  const next = nextStart(plan);
  if (next !== undefined) return { status: 'stand_by', next_execution_at: new Date(next).toISOString() };
  if (index.questions.size > 0 || index.held.size > 0) return { status: 'awaiting_input' };
  return { status: 'executing' };
}

/** When the plan goes on by itself: its start time, a wait or a back-off; not the time-out of a question. */
function nextStart({ state, index }: Plan): number | undefined {
  if (state.start_at !== undefined) return state.start_at;
  let least: number | undefined;
  for (const i of index.clocks) {
    const task = state.tasks[i]!;
    const due = task.question ? undefined : dueAt(task.clock);
    if (due !== undefined && (least === undefined || due < least)) least = due;
  }
  return least;
}

export function situation(plan: Plan): Situation {
  const { state, index } = plan;
  const active = state.verdict === undefined && index.running.size > 0;
  return {
    status: planState(plan).status,
    pausing: active && state.pause !== undefined && state.stop === undefined,
    stopping: active && state.stop !== undefined,
  };
}
