import type { PlanRef } from '../contract/hints.ts';

/** Carries hints that a plan has new events from who runs it to who shows it. Hints may be lost, repeated and early. */
export interface Bus {
  publish(plan: PlanRef): void;
  /** Gives what ends the subscription. */
  subscribe(listener: (plan: PlanRef) => void): () => void;
}

/** Within one process. */
export function localBus(): Bus {
  const listeners = new Set<(plan: PlanRef) => void>();
  return {
    publish(plan) {
      for (const listener of listeners) listener(plan);
    },
    subscribe(listener) {
      // A function of its own, so that the same listener may subscribe twice.
      const mine = (plan: PlanRef) => listener(plan);
      listeners.add(mine);
      return () => listeners.delete(mine);
    },
  };
}
