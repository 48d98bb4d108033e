import type { Task } from '../../api/types.ts';
import { TASK_BADGES } from '../../ui/badges.ts';
import { isHeld } from '../graph/hold.ts';
import { noteOf, type Shown } from '../graph/shown.ts';

export const COLUMNS = ['id', 'kind', 'status', 'needs', 'attempt', 'started', 'duration', 'note'] as const;
export type Column = (typeof COLUMNS)[number];
export const COLUMN_WORDS: Record<Column, string> = {
  id: 'Task',
  kind: 'Kind',
  status: 'Status',
  needs: 'Needs',
  attempt: 'Attempt',
  started: 'Started',
  duration: 'Duration',
  note: 'Note',
};
export interface Sorting {
  by: Column;
  isDown: boolean;
}

/** How long a task has been, or was, at work, in ms; undefined before that. */
export function lengthOf({ started_at, ended_at, status }: Task, now: number): number | undefined {
  if (started_at === undefined) return undefined;
  if (ended_at !== undefined) return Math.max(0, Date.parse(ended_at) - Date.parse(started_at));
  // One that was taken back to its beginning, by a retry that is to come, is at nothing.
  return status === 'running' || status === 'waiting' ? Math.max(0, now - Date.parse(started_at)) : undefined;
}

/** In the order of what somebody looks for first. */
const STATUS_ORDER: Task['status'][] = [
  'failed',
  'waiting',
  'running',
  'backing_off',
  'pending',
  'cancelled',
  'skipped',
  'succeeded',
];

const VALUE: Record<Column, (row: Shown, now: number) => string | number | undefined> = {
  id: ({ task }) => task.id,
  kind: ({ task }) => task.kind,
  status: ({ task }) => STATUS_ORDER.indexOf(task.status),
  needs: ({ task }) => task.needs.length,
  attempt: ({ task }) => task.attempt,
  started: ({ task }) => (task.started_at === undefined ? undefined : Date.parse(task.started_at)),
  duration: ({ task }, now) => lengthOf(task, now),
  note: (row) => noteOf(row) || undefined,
};

const byWords = new Intl.Collator(undefined, { numeric: true });

/** Sorted by a column, those of equal value in the plan's order; what has no value comes last either way. */
export function sorted(rows: Shown[], sorting: Sorting | undefined, now: number): Shown[] {
  if (!sorting) return rows;
  const value = VALUE[sorting.by];
  const way = sorting.isDown ? -1 : 1;
  return rows
    .map((row) => ({ row, at: value(row, now) }))
    .sort(({ at: a }, { at: b }) => {
      if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
      return way * (typeof a === 'number' && typeof b === 'number' ? a - b : byWords.compare(`${a}`, `${b}`));
    })
    .map(({ row }) => row);
}

export type StatusFilter = Task['status'] | 'held' | 'reused' | '';

export function filtered(rows: Shown[], status: StatusFilter, text: string): Shown[] {
  const wanted = text.trim().toLowerCase();
  return rows.filter((row) => {
    const { task } = row;
    const isOf =
      status === '' || (status === 'held' ? isHeld(task) : status === 'reused' ? task.reused : task.status === status);
    if (!isOf || wanted === '') return isOf;
    const words = [task.id, task.kind, TASK_BADGES[task.status].words, noteOf(row)];
    return words.some((each) => each.toLowerCase().includes(wanted));
  });
}
