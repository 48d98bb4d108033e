import type { AsideWork } from './effects.ts';
import type { Json } from './json.ts';
import { beginMap, mapOutputs } from './map.ts';
import { type Plan, taskAt } from './plan.ts';
import { decideBy } from './scheduler.ts';
import type { Piece } from './state.ts';
import { fail, succeed } from './task-endings.ts';

type Computed = { ok: Json } | { error: string };

/** Goes on with a task for which something was computed outside the workflow. */
export function asideEnded(plan: Plan, i: number, { what }: AsideWork, result: Computed, now: number): void {
  plan.index.asides.delete(i);
  if (plan.state.stop || plan.state.closing?.phase === 'cancel') return;
  GO_ON[what](plan, i, result, now);
}

const invalid = (plan: Plan, i: number, message: string, now: number) =>
  fail(plan, i, { code: 'TASK_INVALID', message }, now);

const GO_ON: Record<AsideWork['what'], (plan: Plan, i: number, result: Computed, now: number) => void> = {
  if: decideBy,
  words(plan, i, result) {
    // It starts when the plan may: a pause may have come meanwhile.
    taskAt(plan, i).at.status = 'pending';
    plan.index.computed.set(i, result);
    plan.index.instant.unshift(i);
  },
  expand(plan, i, result, now) {
    if ('error' in result) invalid(plan, i, result.error, now);
    else beginMap(plan, i, result.ok as unknown as Piece[]);
  },
  collect(plan, i, result, now) {
    if ('error' in result) invalid(plan, i, result.error, now);
    else succeed(plan, i, mapOutputs(taskAt(plan, i).at.map!, result.ok), now);
  },
};
