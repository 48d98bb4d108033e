import type { Child } from './child.ts';

/** What the workflow is to do next. */
export interface Effects {
  /** Tasks whose next attempt is to be dispatched. */
  attempts: number[];
  /** What is to be computed by an activity, because the workflow has only references to what it reads. */
  asides: { task: number; work: AsideWork }[];
  children: Child[];
  /** Whether every running attempt is to be cancelled. */
  cancel: boolean;
  /** What the plan's group is to be told. */
  slot?: SlotWish;
}

/** By ticket: a slot of the group is asked for, or no longer wanted. */
export type SlotWish = { ask: number } | { give_back: number };

/**
 * What an activity works out for a task: its condition, its words, the pieces of a map's list, or the outputs of a map
 * from what its batches left.
 */
export interface AsideWork {
  what: 'if' | 'words' | 'expand' | 'collect';
}
