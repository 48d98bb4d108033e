import type { Plan } from './plan.ts';
import { TASK_STATUSES, type TaskStatus } from './state.ts';

export interface Progress {
  /** Tasks that succeeded, were reused or skipped, or failed without failing the plan. */
  done: number;
  total: number;
  /** Whole per cent; 100 only for a completed plan. */
  percentage: number;
}

/** The two counts from which every surface derives how far a plan is. */
export function progress({ definition, state }: Plan): Progress {
  const total = definition.tasks.length;
  const done = state.tasks.reduce(
    (sum, task, i) => sum + (counts(task.status, definition.tasks[i]!.on_failure) ? 1 : 0),
    0,
  );
  if (state.verdict === 'completed') return { done: total, total, percentage: 100 };
  return { done, total, percentage: Math.min(99, Math.floor((done / total) * 100)) };
}

const counts = (status: TaskStatus, onFailure: string): boolean =>
  status === 'succeeded' || status === 'skipped' || (status === 'failed' && onFailure === 'continue');

export type Totals = Record<TaskStatus, number>;

/** How many tasks stand in each status. */
export function totals({ state }: Plan): Totals {
  const counts = Object.fromEntries(TASK_STATUSES.map((status) => [status, 0])) as Totals;
  for (const task of state.tasks) counts[task.status] += 1;
  return counts;
}
