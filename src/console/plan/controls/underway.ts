import { useSyncExternalStore } from 'react';
import type { Deed } from './refusal.ts';

/** A command that this page has sent. */
export interface Underway {
  deed: Deed;
  /** A question or task; undefined: the plan as a whole. */
  target?: string | undefined;
  /** What its button says. */
  words: string;
  /** `sent`: not answered yet; `kept`: no worker is there to carry it out. */
  is: 'sent' | 'kept';
}

const NONE: readonly Underway[] = [];
const byPlan = new Map<string, readonly Underway[]>();
const listeners = new Set<() => void>();

export const underwayOf = (planId: string): readonly Underway[] => byPlan.get(planId) ?? NONE;

function put(planId: string, list: readonly Underway[]): void {
  if (list.length === 0) byPlan.delete(planId);
  else byPlan.set(planId, list);
  for (const listener of listeners) listener();
}

/** Notes a command as sent; gives how to change that, and how to end it. */
export function beginUnderway(planId: string, command: Omit<Underway, 'is'>) {
  let one: Underway = { ...command, is: 'sent' };
  put(planId, [...underwayOf(planId), one]);
  return {
    isKept: () => {
      const kept: Underway = { ...one, is: 'kept' };
      put(
        planId,
        underwayOf(planId).map((each) => (each === one ? kept : each)),
      );
      one = kept;
    },
    isOver: () =>
      put(
        planId,
        underwayOf(planId).filter((each) => each !== one),
      ),
  };
}

/** What is on its way for a plan, wherever on the page it was sent. */
export const useUnderway = (planId: string): readonly Underway[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => underwayOf(planId),
  );
