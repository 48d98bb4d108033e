import type { MapWords } from './definition.ts';
import type { Json } from './json.ts';
import { nameOf, type Plan } from './plan.ts';
import type { BatchLeft, TaskError } from './state.ts';

/** What became of one item of a map. */
export interface ItemLeft {
  status: string;
  /** Questions it has asked: their ids never come again. */
  asked: number;
  /** Of a sub-plan that did not complete. */
  left?: Json;
  outputs?: Record<string, Json>;
  error?: TaskError;
}

/** What became of the items of a batch, in their order. */
export const itemsLeft = ({ state, given }: Plan): ItemLeft[] =>
  state.tasks.slice(given).map(({ status, asked, outputs, error, left }) => ({
    status,
    asked,
    ...(outputs && { outputs: outputs as Record<string, Json> }),
    ...(error && { error: { code: error.code, message: error.message } }),
    ...(left !== undefined && { left }),
  }));

/** The same in sum. */
export function batchLeft(plan: Plan, { task }: Pick<MapWords, 'task'>): Omit<BatchLeft, 'items'> {
  const { state, given } = plan;
  const tasks = state.tasks.slice(given);
  const count = (status: string) => tasks.filter((at) => at.status === status).length;
  const fatal = count('failed') > 0 && task.on_failure !== 'continue';
  const first = tasks.findIndex(({ status }) => status === 'failed');
  const error = tasks[first]?.error;
  return {
    succeeded: count('succeeded'),
    failed: count('failed'),
    skipped: count('skipped'),
    fatal,
    ...(error && { error: { code: error.code, message: `${nameOf(plan, given + first)}: ${error.message}` } }),
    ...((fatal || state.verdict !== 'completed') && { incomplete: true as const }),
  };
}
