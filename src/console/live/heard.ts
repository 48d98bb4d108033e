import type { PlanState } from '../api/types.ts';

/** The last that was heard of a plan: `seq` in the plan's own numbers, `heard_at` in ms by this machine's clock. */
export interface Heard {
  state: PlanState;
  seq: number;
  heard_at: number;
}

/** Lists are behind by so much at most; what was heard later than that before a list was read is newer than the list. */
export const LIST_LAG_MS = 5_000;
