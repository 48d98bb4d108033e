import type { MapWords } from './definition.ts';
import { inputOf } from './iteration.ts';
import type { Json } from './json.ts';
import { nameOf, type Plan } from './plan.ts';
import type { BatchLeft, Made, TaskError } from './state.ts';

/** What became of one item of a map. */
export interface ItemLeft {
  status: string;
  /** Questions it has asked: their ids never come again. */
  asked: number;
  /** Of a sub-plan that did not complete. */
  left?: Json;
  outputs?: Record<string, Json>;
  error?: TaskError;
  /** Absolute directory of the output `files`. */
  files_in?: string;
  /** Of a sub-plan that completed, and inside of which files were declared. */
  made?: Made;
  /** How often it was done anew after it had ended; told with its files. */
  again?: number;
}

/** Whether files may have been declared by what ran in a child, or inside of that. */
export const hasFiles = ({ state, given }: Plan): boolean =>
  state.tasks
    .slice(given)
    .some(({ files_in, made, left }) => [files_in, made, left].some((told) => told !== undefined));

/** What became of the items of a batch, in their order; with `files`, also what a next run looks for those by. */
export const itemsLeft = ({ state, given }: Plan, files: boolean): ItemLeft[] =>
  state.tasks.slice(given).map(({ status, asked, outputs, error, left, files_in, made, again }) => ({
    status,
    asked,
    ...(outputs && { outputs: outputs as Record<string, Json> }),
    ...(error && { error: { code: error.code, message: error.message } }),
    ...(left !== undefined && { left }),
    ...(files && {
      ...(files_in !== undefined && { files_in }),
      ...(made && { made }),
      ...(again !== undefined && { again }),
    }),
  }));

/** The same in sum. */
export function batchLeft(plan: Plan, { task }: Pick<MapWords, 'task'>, files: boolean): Omit<BatchLeft, 'items'> {
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
    ...(files && { files: true as const }),
    ...(error && { error: { code: error.code, message: itemFailed(plan, given + first, error) } }),
    ...((fatal || state.verdict !== 'completed') && { incomplete: true as const }),
  };
}

function itemFailed(plan: Plan, i: number, { message }: TaskError): string {
  const name = nameOf(plan, i);
  const about = inputOf(plan, i);
  if (!about) return `${name}: ${message}`;
  const inside = message.startsWith(`${name}/`) ? message.slice(name.length + 1) : message;
  return `input ${about.input}/${about.of} (${about.name}) failed: ${inside}`;
}
