/** How a wait that goes on as a task ended, where the plan does not tell it for ever. */
export type Settled = 'cancelled' | 'needs_attention';

export interface SettledWaits {
  get(taskId: string): Settled | undefined;
  /** The first time counts: what has ended stays so. */
  settle(taskId: string, how: Settled): void;
}

/** How many are remembered: at a hundred bytes each it is about a megabyte. */
export const MOST_SETTLED = 10_000;

/** Remembered by this process; of too many the oldest are forgotten. A forgotten one is read from its plan again. */
export function settledWaits(most = MOST_SETTLED): SettledWaits {
  const settled = new Map<string, Settled>();
  return {
    get: (taskId) => settled.get(taskId),
    settle(taskId, how) {
      if (settled.has(taskId)) return;
      settled.set(taskId, how);
      if (settled.size > most) settled.delete(settled.keys().next().value!);
    },
  };
}
