import type { Clock } from './clocks.ts';
import type { Handler, Outputs, PlanDefinition } from './definition.ts';
import type { PlanEvent, Segment } from './events.ts';
import type { GoneInside } from './gone.ts';
import type { Json, JsonObject } from './json.ts';
import type { PlanStateView } from './lifecycle.ts';
import type { LimitDetails } from './limits.ts';
import type { Outcome } from './outcome.ts';
import type { Position } from './position.ts';
import type { GroupSlot } from './slot.ts';

/** Who did something: `name` is what people are shown. */
export interface Actor {
  id: string;
  name: string;
}

export const TASK_STATUSES = [
  'pending',
  'running',
  'waiting',
  'backing_off',
  'succeeded',
  'failed',
  'skipped',
  'cancelled',
] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];
/** How many tasks stand in each status. */
export type Totals = Record<TaskStatus, number>;
export const TASK_ENDED: readonly TaskStatus[] = ['succeeded', 'failed', 'skipped', 'cancelled'];

/** The one mechanism that keeps work from going on until somebody says so. */
export interface Hold {
  reason: HoldReason;
  since: number;
  by: string;
  comment?: string;
  /** Of a plan that a limit holds: which, and the number of the event that says so. */
  limit?: LimitDetails & { n: number };
}
/**
 * `interrupted`: paused at once, what ran was ended and runs again when the plan goes on; `server_restart`: the same, because the
 * engine started anew. `cost_limit`, `provider_limit`: a limit was reached.
 */
export type HoldReason =
  | 'paused'
  | 'interrupted'
  | 'server_restart'
  | 'cost_limit'
  | 'provider_limit'
  | 'review'
  | 'hand';

export interface Question {
  /** `<task>.<n>`, n counting all questions the task ever asked, over all runs. */
  id: string;
  kind: string;
  prompt: string;
  /** What may be chosen; empty where a form is filled in. */
  options: string[];
  /** JSON Schema of the object to be given as `values`. */
  form?: JsonObject;
  opened_at: number;
  /** What happens when nobody answers in time: a choice, `fail`, or `hold` (stays open). */
  on_timeout?: string;
  overdue?: true;
}

/** The record of an answer; it is given back to whoever answered, and to whoever repeats that answer. */
export interface AnswerRecord {
  choice?: string;
  values?: JsonObject;
  comment?: string;
  by: string;
  at: number;
}

export interface TaskError {
  message: string;
  code: string;
  details?: Json;
}

export interface TaskState {
  status: TaskStatus;
  /** Attempts of this run, the present one included. */
  attempts: number;
  /** Attempts made before somebody decided to try again; absent = none. */
  forgiven?: number;
  /** Dispatches of the present attempt: more than one when a worker was lost. */
  dispatch: number;
  /** Losses in a row, and how many tasks of the plan had succeeded at the last of them. */
  lost: number;
  lost_mark: number;
  started_at?: number;
  ended_at?: number;
  /** A wait's span, a back-off, or the time-out of the open question. */
  clock?: Clock;
  question?: Question;
  /** Questions asked so far, over all runs: question ids never come again. */
  asked: number;
  answered?: { question: string; record: AnswerRecord };
  hold?: Hold;
  /** Its attempt in flight is being ended by an interruption, and is made again. */
  interrupted?: true;
  outputs?: Outputs;
  /** Absolute directory of the output `files`. */
  files_in?: string;
  error?: TaskError;
  /** Why it was skipped or cancelled, or runs again, in words. */
  reason?: string;
  reused?: true;
  /** How often it was done anew by a next run after it had ended; part of its idempotency key. */
  again?: number;
  /** Of a task to be run: whether it will end as it had ended in an earlier run, as far as one knows. */
  expected?: Expected;
  /** How far a map is. */
  map?: MapState;
  /** What a sub-plan that failed left, so that its next run keeps what it finished. */
  left?: Json;
  /** How far a session's sub-plan was when it failed. */
  position?: Position;
  /** Of a map or sub-plan that succeeded, and inside of which files were declared: what a next run looks for them by. */
  made?: Made;
  /** What had been made inside a map or sub-plan, and is made again. */
  gone?: GoneInside;
}

/** What a map or a sub-plan left when it succeeded, by which it can be gone on with. */
export interface Made {
  map?: MapState;
  left?: Json;
}

/** `kept`: nothing that decides how it ends has changed; `same`: it makes again what it had made. */
export type Expected = 'kept' | 'same';

/** A map at work. Its items are in pieces, each carried out by one batch; what a batch left is kept until all have ended. */
export interface MapState {
  total: number;
  pieces: Piece[];
  /** By piece: what its batch left; absent = not begun, or not ended. */
  batches: (BatchLeft | null)[];
}

/** Items `from` to `to` of the whole list, the last not included: themselves, or the reference of their list. */
export interface Piece {
  from: number;
  to: number;
  items: Json;
}

export interface BatchLeft {
  succeeded: number;
  failed: number;
  skipped: number;
  /** Whether an item failed that fails the map. */
  fatal: boolean;
  /** Of the first item that failed. */
  error?: TaskError;
  /** Not all of its items are done. */
  incomplete?: true;
  /** It is to be done again, but for the items that succeeded. */
  again?: true;
  /** Of a session: how far it was when it ended. */
  position?: Position;
  /** Items of it declared files. */
  files?: true;
  /** Per item `{status, outputs, error}`: the list itself, or its reference. */
  items: Json;
}

/** Why a plan failed: the error of the task that failed it. */
export interface PlanError extends TaskError {
  task?: string;
}

/** How the plan is going to end, and which of its handlers' turn it is. `cancel`: what still runs is cancelled first. */
export interface Closing {
  verdict: 'completed' | 'failed';
  phase: 'cancel' | Handler;
}

export type Verdict = 'completed' | 'failed' | 'stopped';

/** Everything a plan knows about itself. Plain JSON; carried over Continue-As-New and into the next run. */
export interface PlanState {
  schema_version: 1;
  run: number;
  /** Counts retries from nothing; part of every idempotency key. */
  generation: number;
  created_at: number;
  created_by: string;
  updated_at: number;
  tasks: TaskState[];
  /** When the first task may start, ms since the epoch. */
  start_at?: number;
  review?: Hold;
  pause?: Hold;
  /** `graceful`: what runs is not cancelled. */
  stop?: { by: string; at: number; graceful?: true };
  /** What remains until the plan's deadline. */
  deadline?: Clock;
  /** Of a plan with `concurrency`. */
  slot?: GroupSlot;
  /** Set once it is decided how the plan ends, while its handlers run. */
  closing?: Closing;
  verdict?: Verdict;
  error?: PlanError;
  /** Bytes of outputs carried inline; past the budget they go to the artifact store. */
  inline_bytes: number;
  /** Tasks of this run that succeeded, for the count of losses in a row. */
  successes: number;
  /** The state last recorded as an event. */
  told?: PlanStateView;
  seq: number;
  /** Events of this Temporal run; earlier ones are read from the runs that `segments` names. */
  events: PlanEvent[];
  segments: Segment[];
  outcomes: Outcome[];
}

export function initialTask(asked = 0): TaskState {
  return { status: 'pending', attempts: 0, dispatch: 0, lost: 0, lost_mark: 0, asked };
}

export function initialState(definition: PlanDefinition, created: { by: string; at: number }): PlanState {
  return {
    schema_version: 1,
    run: 1,
    generation: 0,
    created_at: created.at,
    created_by: created.by,
    updated_at: created.at,
    tasks: definition.tasks.map(() => initialTask()),
    inline_bytes: 0,
    successes: 0,
    seq: 0,
    events: [],
    segments: [],
    outcomes: [],
  };
}
