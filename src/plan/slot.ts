import type { Plan } from './plan.ts';

/** Of all plans of an organisation that name this group, at most `max` are at work at a time. */
export interface Concurrency {
  group: string;
  max: number;
}

/** How a plan stands in its group: without a slot, in line for one, or with one. Times in ms since the epoch. */
export interface GroupSlot {
  is: 'free' | 'asked' | 'held';
  since: number;
  /** Names what was asked for last, and only ever grows: what comes for an older one is void. */
  ticket: number;
  /** When it is asked for again, in case the group has forgotten. */
  again_at?: number;
}

/** Nothing starts: the plan's group has not given it a slot. */
export const lacksSlot = ({ definition, state }: Pick<Plan, 'definition' | 'state'>): boolean =>
  definition.concurrency !== undefined && state.slot?.is !== 'held';

/** The plan would go on, and waits for its turn in its group. */
export const isInLine = ({ state }: Pick<Plan, 'state'>): boolean => state.slot?.is === 'asked';
