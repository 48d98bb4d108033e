import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import type { Due } from '../plan/plan.ts';

/** One timer for all of a plan's clocks: it is set to the next time that something is due, and moved when that changes. */
export function wakeUp(onWake: () => void): (next: Due | undefined) => void {
  let set: { due: number; scope: CancellationScope } | undefined;
  return (next) => {
    const due = next?.due;
    if (set?.due === due) return;
    set?.scope.cancel();
    set = undefined;
    if (next === undefined || due === undefined) return;
    const mine = { due, scope: new CancellationScope() };
    set = mine;
    mine.scope
      .run(() => sleep(Math.max(1, due - Date.now()), { summary: next.what }))
      .then(
        () => {
          if (set !== mine) return;
          set = undefined;
          onWake();
        },
        (reason: unknown) => {
          if (!isCancellation(reason)) throw reason;
        },
      );
  };
}
