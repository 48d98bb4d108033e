import type { OnFailure } from './definition.ts';
import type { Plan } from './plan.ts';
import { TASK_STATUSES, type TaskStatus, type Totals } from './state.ts';

export interface Progress {
  /** Tasks that succeeded, were reused or skipped, or failed without failing the plan. */
  done: number;
  total: number;
  /** Whole per cent; 100 only for a completed plan. */
  percentage: number;
}

/** The two counts from which every surface derives how far a plan is. Handlers do not count. */
export function progress({ definition, state, given }: Pick<Plan, 'definition' | 'state' | 'given'>): Progress {
  let total = 0;
  let done = 0;
  definition.tasks.forEach((task, i) => {
    if (task.handler || i < given) return;
    total += 1;
    if (isDone(state.tasks[i]!.status, task.on_failure)) done += 1;
  });
  if (state.verdict === 'completed') return { done: total, total, percentage: 100 };
  return { done, total, percentage: Math.min(99, Math.floor((done / total) * 100)) };
}

export const isDone = (status: TaskStatus, onFailure: OnFailure): boolean =>
  status === 'succeeded' || status === 'skipped' || (status === 'failed' && onFailure === 'continue');

/** How many tasks stand in each status; handlers do not count. */
export function totals({ definition, state, given }: Plan): Totals {
  const counts = Object.fromEntries(TASK_STATUSES.map((status) => [status, 0])) as Totals;
  state.tasks.forEach((at, i) => {
    if (!definition.tasks[i]!.handler && i >= given) counts[at.status] += 1;
  });
  return counts;
}
