import { Fault } from '../faults.ts';
import type { TaskView } from '../plan/view.ts';
import { nearestNames } from './plan-file/nearest.ts';

/** The task itself, or else the innermost sub-plan or map that it can only be in. */
export function nearestTask(tasks: readonly TaskView[], name: string): TaskView | undefined {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  for (let end = name.length; end > 0; end--) {
    const next = name[end];
    const kind = next === undefined ? undefined : INSIDE[next];
    if (next !== undefined && kind === undefined) continue;
    const task = byId.get(name.slice(0, end));
    if (task && (kind === undefined || task.kind === kind))
      return next === '[' && !mayHaveItem(task, name.slice(end)) ? undefined : task;
  }
  return undefined;
}
/** How many items a map has is known once it has begun. */
function mayHaveItem({ items }: TaskView, place: string): boolean {
  const [, number] = /^\[(0|[1-9]\d*)\](?:\/.+)?$/s.exec(place) ?? [];
  return number !== undefined && (items === undefined || Number(number) < items.total);
}

/** What follows the name of a map, and of a sub-plan, in the names of what is in them. */
export const INSIDE: Record<string, string> = { '/': 'plan', '[': 'map' };

export function unknownTask(tasks: readonly { id: string }[], name: string): Fault {
  const meant = nearestNames()(
    name,
    tasks.map(({ id }) => id),
  );
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  return new Fault('TASK_NOT_FOUND', `there is no task "${name.slice(0, 200)}" in this plan${hint}`);
}
