import type { ChargedTo } from '../plan/attempt.ts';
import type { ChatState } from '../plan/chat.ts';
import type { Told } from '../plan/child.ts';
import type { Command } from '../plan/commands.ts';
import type { IterateWords, MapWords, PlanDefinition } from '../plan/definition.ts';
import type { PlanEvent, Segment } from '../plan/events.ts';
import type { Scope } from '../plan/expression.ts';
import type { Given } from '../plan/given.ts';
import type { Gone, GoneInside, Span } from '../plan/gone.ts';
import type { GroupState, Member } from '../plan/group.ts';
import type { Json, JsonObject } from '../plan/json.ts';
import type { Warning } from '../plan/ledger.ts';
import type { Position } from '../plan/position.ts';
import type { NextRun, RunMode } from '../plan/reuse.ts';
import type { Snapshot } from '../plan/snapshot.ts';
import type { HoldReason, Piece, PlanState } from '../plan/state.ts';
import type { Worktree } from '../plan/worktree.ts';
import type { Packed } from './packed.ts';

export type { Worktree };

/** Everything below crosses the workflow boundary as plain JSON and is frozen by recorded histories. */

/** Who acts. `local` is the user of a machine without authentication. */
export interface Principal {
  id: string;
  name: string;
  org_id: string;
}

/** Where the commands of a plan run and with what; recorded at creation, used by every attempt. */
export interface Place {
  /** Absolute directory; absent = the plan's own run directory on the engine's machine. Of a plan with a worktree: one in it. */
  directory?: string;
  env: Record<string, string>;
  /** Variables given when it was started: they win over those of the plan. */
  set?: Record<string, string>;
  worktree?: Worktree;
}

export interface PlanInput {
  schema_version: 1;
  plan_id: string;
  /** Before the ids of its tasks where they are told outside it: empty but for a sub-plan. */
  path: string;
  principal: Principal;
  definition: Packed<PlanDefinition>;
  inputs: Packed<JsonObject>;
  place: Place;
  task_queue: string;
  review: boolean;
  /** ms since the epoch. */
  start_at?: number;
  /** Which surface and tool asked for it, such as `rest` or `cli run`. */
  trigger: string;
  /** Set for every run but the first. */
  next_run?: NextRun & { from_run: string; request_id?: string };
  /** The text of its plan file, unless that is long. Children do not get it. */
  source?: Packed<{ text: string }>;
  /** Inputs that somebody gave; the others are defaults of the file. Absent = not known. Children do not get it. */
  inputs_given?: string[];
  /** By which models its tasks work, where somebody chose. */
  model_profile?: string;
  /** What its calls of models are charged to, besides the plan and the organisation's day. */
  charged_to?: ChargedTo | undefined;
  /** Set for plans that were started from a command line; it keeps where they are in their memo. */
  session?: { id: string };
  /** Set for the workflows that work for another. */
  child?: ChildInput;
  /** Set by Continue-As-New, and for segments. */
  carried?: Packed<PlanState>;
}

/** What a child workflow is told besides. */
export interface ChildInput {
  key: string;
  /** Workflow Id of its parent. */
  parent: string;
  run: number;
  generation: number;
  /** How often what it belongs to was done anew; part of the idempotency keys in it. */
  again?: string;
  work: ChildWorkInput;
}
export type ChildWorkInput =
  /** `outputs`: names to expressions; `left`: what its last run left, in which some tasks had succeeded: a snapshot, or its reference. */
  /** `gone`: what of it is made again. */
  | { kind: 'plan'; outputs: JsonObject; left?: Json; gone?: Gone }
  | {
      kind: 'batch';
      /** Id of the map. */
      map: string;
      words: MapWords;
      max_parallel: number;
      piece: Piece;
      /** What an earlier batch of the same items left. */
      previous?: Json;
      /** Items of it that had succeeded, and are to be done again: what they made is gone. */
      gone?: Span[];
      /** Items whose failure does not matter are not tried again. */
      keeps_failed?: true;
      /** Tasks of the plan that the map's task reads. */
      given: Given[];
      /** Of a plan's iterations: how many there are in all. */
      total?: number;
    }
  /** The first `given` tasks of its definition have ended before. */
  | { kind: 'segment'; given: number };

/** What a child tells its parent when it changes; `n` only grows, for signals may overtake each other. */
export interface ToldInput {
  schema_version: 1;
  key: string;
  n: number;
  told: Told;
  /** What happened in it that its plan's story has to have: questions, answers and hold points. */
  events?: PlanEvent[];
}

/** What a signal carries. Operators may send signals by hand, with nothing: then all is taken as given by them, now. */
export interface CommandInput extends Partial<Omit<Command, 'actor'>> {
  schema_version?: 1;
  actor?: Principal;
}

/** In the memo of a session: where it stood when it last came to a stand. `at`: ms since the epoch. */
export interface SessionStands extends Position {
  at: number;
  hold?: HoldReason;
}

/** What the workflow of a chat starts with. */
export interface ChatInput {
  schema_version: 1;
  org_id: string;
  chat_id: string;
  carried?: Packed<ChatState>;
}

/** How a group's workflow begins. */
export interface GroupInput {
  schema_version: 1;
  org_id: string;
  group: string;
  /** Set by Continue-As-New. */
  carried?: Packed<GroupState>;
}
/** `slot_asked`: what a plan asks its group for. */
export interface SlotAsked extends Member {
  schema_version: 1;
}
/** `slot_given_back`, and `slot_given`: which slot. */
export interface SlotInput {
  schema_version: 1;
  plan_id: string;
  ticket: number;
}
export interface AskForSlotInput {
  schema_version: 1;
  org_id: string;
  group: string;
  asked: SlotAsked;
}
/** Plans with a slot, and the Temporal run of each that was seen last. */
export interface LookAtHoldersInput {
  schema_version: 1;
  org_id: string;
  holders: { plan_id: string; run_id: string }[];
}
/** Of the plans looked at: which have ended, and the present run of those that are in another one. */
export interface HoldersSeen {
  ended: string[];
  moved: Record<string, string>;
}

export interface PlanResult {
  schema_version: 1;
  state: 'completed';
  run: number;
  seq: number;
}

export interface PredecessorInput {
  schema_version: 1;
  from_run: string;
  mode?: RunMode;
}
export interface Predecessor {
  run_id: string;
  snapshot: Packed<Snapshot>;
  /** By task: declared files of it that are gone, or are not what they were. */
  files_gone: Record<string, string[]>;
  /** By task: outputs of it in the artifact store that are gone, or are not what they were. */
  stored_gone?: Record<string, string[]>;
  /** By task: declared files of what ran inside it that are gone, or are not what they were. */
  inside_gone?: Record<string, GoneInside>;
  /** What else its successor has to know, for people. */
  note?: string;
  state: 'failed' | 'stopped';
}

/** Something to be computed outside the workflow, which has only references to what it reads. */
interface Aside {
  schema_version: 1;
  plan_id: string;
  /** Results up to this many bytes are returned inline; larger ones by reference. */
  inline_limit: number;
}
/** `expression`: one, such as a condition; `words`: all `${{ … }}` inside a value. */
export interface EvaluateInput extends Aside {
  expression?: string;
  words?: Json;
  /** The workflow itself reads the result, so that nothing of it may be a reference. */
  whole?: true;
  scope: Scope;
}
export interface ExpandInput extends Aside {
  list: Json;
  /** The list is what a plan iterates over. */
  iterate?: IterateWords;
  scope: Scope;
}
/** Lists, or references of lists. */
export interface CollectInput extends Aside {
  lists: Json[];
}
export interface StoreInput extends Aside {
  value: Json;
}
export interface LoadInput extends Aside {
  values: Json[];
}
export interface AsideResult {
  value: Json;
}

/** One attempt of a task, as its activity gets it. */
export interface AttemptInput {
  schema_version: 1;
  principal: Principal;
  plan_id: string;
  run: number;
  task: string;
  kind: string;
  attempt: number;
  dispatch: number;
  with: Json;
  scope: Scope;
  env: Record<string, string>;
  place: Place;
  timeout_ms?: number;
  /** The same for every attempt of this task, so that a receiver can drop what it has seen. */
  idempotency_key: string;
  /** Outputs up to this many bytes each are returned inline; larger ones by reference. */
  inline_limit: number;
  /** By which models its tasks work, where somebody chose; a task that names one wins. */
  model_profile?: string;
  /** What calls of models are counted against; absent = the plan alone. `plan`: of work inside a child, the plan that people know. */
  charged_to?: ChargedTo & { plan?: string };
}

/** What a failure of an attempt has besides its details, as the second of them. */
export interface FailureAsides {
  warnings?: Warning[];
}

export interface AttemptResult {
  outputs: JsonObject;
  /** The absolute directory of its output `files`, where it has some. */
  files_in?: string;
  /** Limits of which most is spent, as its calls of models were told. */
  warnings?: Warning[];
}

/** A value kept in the artifact store; what stands in its place in outputs. */
export interface StoredValue {
  $stored: {
    sha256: string;
    bytes: number;
    /** Its first and last characters, for people; left out where many values are kept. */
    head?: string;
    tail?: string;
    /** The text is JSON; readers get the value. */
    json?: true;
    /** The JSON holds references, which are followed. */
    refs?: true;
    /** Only this entry of it is meant. */
    at?: string;
    /** Bytes that were not kept: the value is cut, and cannot be used as if it were whole. */
    dropped?: number;
  };
}

export { INLINE_BUDGET, INLINE_LIMIT } from '../plan/inline.ts';

/** What the status query is asked for: tasks of the view by place; absent = all. */
export type { TaskPage } from '../plan/view.ts';

export interface EventsRequest {
  after_seq: number;
  limit: number;
}
export interface EventsPage {
  events: PlanEvent[];
  /** The first event this Temporal run holds, and the last one there is. */
  from_seq: number;
  seq: number;
  segments: Segment[];
}

/** Asked how it stands by a run that had not begun when it was ended. */
export interface NotBegun {
  begun: false;
}

/** What a running attempt tells with its heartbeats. */
export interface HeartbeatDetails {
  /** When its command last wrote something, or began, ms since the epoch. */
  last_output_at: number;
  /** When it last called a model, ms since the epoch. */
  last_llm_call_at?: number;
  /** Something is kept behind which the next dispatch goes on. */
  kept?: true;
}

/** Heartbeats come every second; a worker silent for this long has lost its attempts. */
export const HEARTBEAT_TIMEOUT_MS = 10_000;
export const HEARTBEAT_INTERVAL_MS = 1_000;
/** A command's process group gets TERM, and KILL after this. */
export const KILL_GRACE_MS = 3_000;
