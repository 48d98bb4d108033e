import type { Json } from './json.ts';
import type { PlanStateView } from './lifecycle.ts';
import type { PlanError, PlanState, Totals } from './state.ts';

export const EVENT_TYPES = [
  'PlanCreated',
  'RunStarted',
  'PlanApproved',
  'PlanStateChanged',
  'PlanPaused',
  'PlanResumed',
  'PlanStopped',
  'PlanCompleted',
  'PlanFailed',
  'DeadlinePassed',
  'TaskStarted',
  'TaskSucceeded',
  'TaskFailed',
  'TaskRetried',
  'TaskLost',
  'TaskInterrupted',
  'TaskSkipped',
  'TaskCancelled',
  'TaskReused',
  'TaskHeld',
  'TaskReleased',
  'QuestionOpened',
  'QuestionAnswered',
  'QuestionTimedOut',
  'LimitWarning',
  'CommandRefused',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** One entry of a plan's history, numbered without gaps over all its runs. `at` in ms since the epoch. */
export interface PlanEvent {
  seq: number;
  at: number;
  type: EventType;
  by?: string;
  task?: string;
  attempt?: number;
  question?: string;
  state?: PlanStateView;
  message?: string;
  details?: Json;
  /** On the last event of a run: why it failed, and how many tasks stand in each status. */
  error?: PlanError | null;
  totals?: Totals;
}

/** The events that one Temporal run of the plan holds. */
export interface Segment {
  run_id: string;
  from_seq: number;
  to_seq: number;
}

export function record(
  state: PlanState,
  at: number,
  type: EventType,
  fields: Omit<PlanEvent, 'seq' | 'at' | 'type'> = {},
): PlanEvent {
  state.seq += 1;
  state.updated_at = at;
  const event: PlanEvent = { seq: state.seq, at, type, ...fields };
  state.events.push(event);
  return event;
}
