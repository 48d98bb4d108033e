import type { Plan } from '../../api/types.ts';
import type { Entry } from '../events/event-words.ts';
import { groupsOf } from '../events/groups.ts';

/** Of which task the log is shown where none is chosen, and why that one. */
export interface FirstShown {
  task: string | undefined;
  is: 'at_work' | 'failed' | 'last';
}

/** Kinds that write nothing, or of which only what is in them writes. */
const SILENT = ['approve', 'input', 'checkpoint', 'wait', 'set', 'map', 'plan'];

type Standing = Pick<Plan, 'current_tasks' | 'error' | 'run'> & {
  tasks: readonly Pick<Plan['tasks'][number], 'id' | 'kind' | 'started_at'>[];
};

/** What began last of what is at work; when nothing is, what failed the plan; and else what was at work last. */
export function firstShown(plan: Standing, story: readonly Entry[]): FirstShown {
  const { current_tasks, error, tasks, run } = plan;
  const kinds = new Map(tasks.map(({ id, kind }) => [id, kind]));
  // What is in a map is not among the tasks of the plan.
  const writes = (id: string) => !SILENT.includes(kinds.get(id) ?? '');
  const now = current_tasks.findLast((id) => writes(id) && !current_tasks.some((other) => isIn(id, other)));
  if (now !== undefined) return { task: now, is: 'at_work' };
  if (error?.task !== undefined) {
    const failed = writes(error.task) ? error.task : failedIn(story, run, error.task)[0];
    if (failed !== undefined) return { task: failed, is: 'failed' };
  }
  const begun = tasks.filter(({ id, started_at }) => started_at !== undefined && writes(id));
  const last = begun.toSorted((a, b) => Date.parse(a.started_at!) - Date.parse(b.started_at!)).at(-1);
  return { task: last?.id, is: 'last' };
}

/** What failed in a map or a sub-plan in the latest run, in order, as far as the story tells of it. */
export function failedIn(story: readonly Entry[], run: number, outer: string): string[] {
  const latest = groupsOf(story, run).find((group) => group.run === run)?.entries ?? [];
  const failed = latest.flatMap((entry) =>
    entry.type === 'TaskFailed' && entry.task !== undefined && isIn(outer, entry.task) ? [entry.task] : [],
  );
  // Newest first.
  const all = [...new Set(failed.reverse())];
  // An item that is a sub-plan failed by what failed in it.
  return all.filter((id) => !all.some((other) => isIn(id, other)));
}

const isIn = (outer: string, id: string): boolean => id.startsWith(`${outer}[`) || id.startsWith(`${outer}/`);
