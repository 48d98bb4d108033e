import { type Child, isBusy } from './child.ts';
import { dueAt } from './clocks.ts';
import type { Handler, PlanDefinition, TaskDefinition } from './definition.ts';
import type { Json, JsonObject } from './json.ts';
import type { PlanStateView, Situation } from './lifecycle.ts';
import { isInLine, lacksSlot } from './slot.ts';
import { type PlanState, TASK_ENDED, type TaskState } from './state.ts';

/** A plan at work: what it is, where it stands, and an index over both that is made anew whenever a run begins. */
export interface Plan {
  plan_id: string;
  /** What its tasks are called by outside it: empty, or the id of the sub-plan's task and a slash. */
  path: string;
  definition: PlanDefinition;
  inputs: JsonObject;
  /** Of a batch of a map: what each of its tasks reads, by index. */
  items?: Items;
  /** Of a child: how many of its first tasks have ended elsewhere, and are here only to be read. */
  given: number;
  state: PlanState;
  index: PlanIndex;
}

export interface Items {
  as: string;
  /** Index of the first item's task. */
  first: number;
  /** Place of the first in the whole list. */
  from: number;
  values: Json[];
  /** Of a plan's iterations: how many there are in all. */
  total?: number;
}

/** The plan's own tasks, then the handlers of its ending. */
export type Phase = 'main' | Handler;
export const phaseOf = (task: TaskDefinition): Phase => task.handler ?? 'main';

/**
 * How full the history is. `full`: nothing new starts until what is in flight has ended and the next run takes over;
 * `overflow`: that takes long, so what is ready goes to segments meanwhile.
 */
export type Room = 'enough' | 'full' | 'overflow';

/** Derived from definition and state, never carried: counts and queues that keep every step linear in what it touches. */
export interface PlanIndex {
  byId: Map<string, number>;
  dependents: number[][];
  /** Per task: needs that have not ended. */
  unmet: number[];
  /** Pending tasks whose needs have all ended and that nobody has decided on yet. */
  candidates: number[];
  /** Activities and sub-plans that may start, in order; they wait for a slot, or for the plan to be let on. */
  ready: number[];
  /** Questions, waits, values and maps that may start; they need no slot. */
  instant: number[];
  /** Tasks that may start but for a hold point set on them. */
  held: Set<number>;
  /** Tasks with an attempt in flight. */
  running: Set<number>;
  /** Tasks for which something is being computed outside the workflow. */
  asides: Set<number>;
  /** Their words, once they have been computed. */
  computed: Map<number, { ok: Json } | { error: string }>;
  /** Maps that have begun. */
  maps: Set<number>;
  children: Map<string, Child>;
  /** By request, the children that have not taken a pause or stop yet: until they have, it has no outcome. */
  unheard: Map<string, Set<string>>;
  /** The last pause or stop that all have taken. */
  heard: string | undefined;
  /** Of a child: numbers of the events that its parent was told of. */
  told: Set<number>;
  /** By child, the number of the last limit that it told of and that was acted on. */
  limited: Map<string, number>;
  /** Segments cut so far in this run. */
  segments: number;
  questions: Set<number>;
  /** Tasks with a clock. */
  clocks: Set<number>;
  /** By phase, tasks that have not ended. */
  open: Record<Phase, number>;
  /** Tasks that failed and thereby fail the plan. */
  fatal: number[];
  room: Room;
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
    asides: new Set(),
    computed: new Map(),
    maps: new Set(),
    children: new Map(),
    unheard: new Map(),
    heard: undefined,
    told: new Set(),
    limited: new Map(),
    segments: 0,
    questions: new Set(),
    clocks: new Set(),
    open: { main: 0, on_failure: 0, on_success: 0, finally: 0 },
    fatal: [],
    room: 'enough',
  };
  tasks.forEach((task, i) => {
    for (const need of task.needs) index.dependents[need]!.push(i);
  });
  state.tasks.forEach((at, i) => {
    const task = tasks[i]!;
    if (at.question) index.questions.add(i);
    if (at.clock) index.clocks.add(i);
    if (at.map && at.status === 'running') index.maps.add(i);
    if (!TASK_ENDED.includes(at.status)) {
      index.open[phaseOf(task)] += 1;
      return;
    }
    if (isFatal(task, at)) index.fatal.push(i);
    for (const dependent of index.dependents[i]!) index.unmet[dependent]! -= 1;
  });
  index.candidates = tasks.flatMap((task, i) =>
    isCandidate(task, state.tasks[i]!, index.unmet[i]!, state) ? [i] : [],
  );
  return index;
}

const isCandidate = (task: TaskDefinition, at: TaskState, unmet: number, { closing }: PlanState): boolean =>
  at.status === 'pending' && unmet === 0 && (task.handler ?? 'main') === (closing?.phase ?? 'main');

/** Whether this task's failure fails the plan. */
export const isFatal = (task: TaskDefinition, at: TaskState): boolean =>
  at.status === 'failed' && task.on_failure !== 'continue' && task.handler === undefined;

/** A task by its index: what it is, and where it stands. */
export function taskAt(plan: Plan, i: number): { task: TaskDefinition; at: TaskState } {
  return { task: plan.definition.tasks[i]!, at: plan.state.tasks[i]! };
}

/** What a task is called outside the plan that it is part of. */
export const nameOf = (plan: Plan, i: number): string => plan.path + plan.definition.tasks[i]!.id;

const NEEDS_SLOT: readonly string[] = ['activity', 'plan'];

/** Puts a task that may start in its queue: at the head when it has begun before, or with the held ones. */
export function enqueue({ definition, state, index, items }: Plan, i: number, again = false): void {
  const at = state.tasks[i]!;
  at.status = 'pending';
  // A map's items wait for their turn whatever they do.
  const slotted = items !== undefined || NEEDS_SLOT.includes(definition.tasks[i]!.mode);
  const queue = slotted ? index.ready : index.instant;
  if (at.hold) index.held.add(i);
  else if (again) queue.unshift(i);
  else queue.push(i);
}

/** Whether anything may start now. */
export const mayStart = (plan: Plan, now: number): boolean => !lacksSlot(plan) && mayGoOn(plan, now);

/** Whether work may go on: not held, not stopped, not failing, and its start time has come. */
export function mayGoOn(plan: Plan, now: number): boolean {
  const { state, index } = plan;
  if (state.verdict || state.stop || state.pause || state.review || index.room === 'full') return false;
  if (state.closing ? state.closing.phase === 'cancel' : index.fatal.length > 0) return false;
  return state.start_at === undefined || state.start_at <= now;
}

/** Whether anything is in flight whose end this run has to see. */
export const inFlight = ({ index }: Plan): boolean =>
  index.running.size > 0 || index.asides.size > 0 || index.children.size > 0;

/** Whether anything is at work: what is in flight, but for sub-plans and batches that only wait. */
export function isActive(plan: Plan): boolean {
  const { index } = plan;
  if (index.running.size > 0 || index.asides.size > 0) return true;
  for (const child of index.children.values()) if (isBusy(child, standsStill(plan))) return true;
  return false;
}

/** Children that are paused stay so: the plan is paused, too, or waits for its turn. */
const standsStill = (plan: Plan): boolean => plan.state.pause !== undefined || lacksSlot(plan);

/** Slots of `max_parallel` that are taken. */
export function slotsTaken(plan: Plan): number {
  const { state, index, items } = plan;
  let taken = index.running.size;
  if (items) taken += index.asides.size + waiting(state, index);
  for (const child of index.children.values()) if (isBusy(child, standsStill(plan))) taken += child.slots;
  return taken;
}

/** Questions that are open, and waits. */
function waiting({ tasks }: PlanState, { questions, clocks }: PlanIndex): number {
  let count = questions.size;
  for (const i of clocks) if (!tasks[i]!.question && tasks[i]!.status === 'waiting') count += 1;
  return count;
}

/** What next comes due, in words, and when: ms since the epoch. While held, no clock runs. */
export interface Due {
  what: string;
  due: number;
}

export function nextDue(plan: Plan): Due | undefined {
  const { state, index } = plan;
  if (state.verdict || state.stop || state.pause || state.review) return undefined;
  const all: [string, number | undefined][] = [
    ['start time', state.start_at],
    ['deadline', dueAt(state.deadline)],
    ['place in line', state.slot?.again_at],
    ...Array.from(index.clocks, (i): [string, number | undefined] => [nameOf(plan, i), dueAt(state.tasks[i]!.clock)]),
  ];
  return soonest(all.flatMap(([what, due]) => (due === undefined ? [] : [{ what, due }])));
}

export const soonest = (all: (Due | undefined)[]): Due | undefined =>
  all.reduce((least, next) => (next && (!least || next.due < least.due) ? next : least), undefined);

export const earliest = (times: (number | undefined)[]): number | undefined =>
  times.reduce(
    (least, time) => (time !== undefined && (least === undefined || time < least) ? time : least),
    undefined,
  );

/** The plan's state; it follows from tasks, holds, questions and clocks, and is stored nowhere else. */
export function planState(plan: Plan): PlanStateView {
  const { state, index } = plan;
  if (state.verdict) return { status: state.verdict };
  if (state.review) return { status: 'pending_review' };
  if (isActive(plan)) return { status: 'executing' };
  if (state.pause) return { status: 'paused' };
  const next = isInLine(plan) ? state.slot?.since : nextStart(plan);
  if (next !== undefined) return { status: 'stand_by', next_execution_at: new Date(next).toISOString() };
  const waits = Array.from(index.children.values()).some(({ told }) => told?.status === 'awaiting_input');
  if (index.questions.size > 0 || index.held.size > 0 || waits) return { status: 'awaiting_input' };
  return { status: 'executing' };
}

/** When the plan goes on by itself: its start time, a wait or a back-off; not the time-out of a question. */
export function nextStart({ state, index }: Plan): number | undefined {
  if (state.start_at !== undefined) return state.start_at;
  const own = Array.from(index.clocks, (i) => (state.tasks[i]!.question ? undefined : dueAt(state.tasks[i]!.clock)));
  const children = Array.from(index.children.values(), ({ told }) => told?.next);
  return earliest([...own, ...children]);
}

export function situation(plan: Plan): Situation {
  const { state } = plan;
  const active = state.verdict === undefined && isActive(plan);
  return {
    status: planState(plan).status,
    pausing: active && state.pause !== undefined && state.stop === undefined,
    // What is only wound down can still be stopped.
    stopping: state.verdict === undefined && state.stop !== undefined && !state.stop.graceful && inFlight(plan),
  };
}
