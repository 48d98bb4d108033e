import type { PlanEvent } from './events.ts';
import type { Json, JsonObject } from './json.ts';
import type { PlanStatus } from './lifecycle.ts';
import type { Position } from './position.ts';
import type { BatchLeft, Hold, PlanError, TaskState, Verdict } from './state.ts';

/**
 * A child workflow at work for this plan: a sub-plan, a batch of a map's items, or a segment of the plan's own tasks.
 * It lives within one run of the plan, so it is not part of its state.
 */
export interface Child {
  /** Its Workflow Id is its parent's, a slash, and this. */
  key: string;
  what: ChildWork;
  /** Slots of `max_parallel` that it takes while it is busy. */
  slots: number;
  /** What it told last; absent = nothing yet, and then it is at work. */
  told?: Told;
  /** Set when it is to come to its end: at once, or once what runs in it has. */
  ending?: Ending;
}
export type Ending = 'cancel' | 'wind_down';

export type ChildWork =
  | { kind: 'plan'; task: number; inputs: JsonObject }
  /** Items `from` to `to`, the last not included. */
  | { kind: 'batch'; task: number; piece: number; from: number; to: number }
  | { kind: 'segment'; tasks: number[] };

/** How a child stands, as far as its parent has to know: told whenever it changes. */
export interface Told {
  status: PlanStatus;
  /** When it goes on by itself, ms since the epoch. */
  next?: number;
  /** Its open questions, as they are called in the whole plan. */
  questions: { id: string; kind: string }[];
  /** The last pause or stop that it, and all that works for it, has taken. */
  heard?: string;
  /** Of a session: how far it was when it told. */
  position?: Position;
  /** A limit holds it: its whole plan is to be held. */
  limited?: Hold['limit'];
}

/** A child that is quiet only because it was paused goes on when its parent does. */
export const isBusy = ({ told }: Child, paused: boolean): boolean =>
  told === undefined || told.status === 'executing' || (told.status === 'paused' && !paused);

/** What a child left when it ended. It never fails as a workflow: how it ended is in here. */
export interface ChildResult {
  schema_version: 1;
  verdict: Verdict;
  error?: PlanError;
  /** Of a sub-plan that completed. */
  outputs?: JsonObject;
  /** Of a sub-plan that did not, or in which files were declared: what its next run starts from. */
  left?: Json;
  /** Of a session's sub-plan that did not complete: how far it was. */
  position?: Position;
  batch?: BatchLeft;
  /** Of a segment: its tasks as they ended, in the order they were given. */
  tasks?: TaskState[];
  /** What happened in it, as far as it has not been told before. */
  events?: PlanEvent[];
}
