import { TASK_ENDED } from '../../plan/state.ts';
import type { ReadPlan } from '../../service/read-plan.ts';

export type Task = ReadPlan['tasks'][number];

/** A task with what it is called below the tasks shown above it, and how deep inside sub-plans it is. */
export interface Placed {
  task: Task;
  label: string;
  depth: number;
}

/** A plan's tasks by what people look for, each in the plan's order. */
export interface Arranged {
  running: Placed[];
  /** For people or for time. */
  waiting: Placed[];
  failed: Placed[];
  /** Not begun: those first that only wait for their turn. */
  next: Placed[];
  done: number;
  skipped: number;
}

export function arrange({ tasks }: ReadPlan): Arranged {
  const status = new Map(tasks.map((task) => [task.id, task.status]));
  const groups: Arranged = { running: [], waiting: [], failed: [], next: [], done: 0, skipped: 0 };
  const later: Placed[] = [];
  for (const task of tasks) {
    const group = groupOf(task);
    if (group === 'next') {
      const isReady = task.needs.every((need) => TASK_ENDED.includes(status.get(need) ?? 'succeeded'));
      if (!task.handler) (isReady ? groups.next : later).push(whole(task));
    } else if (group === 'done' || group === 'skipped') groups[group] += 1;
    else placed(groups, group, task);
  }
  groups.next.push(...later);
  return groups;
}

type Group = keyof Arranged;

const GROUPS: Record<Task['status'], Group> = {
  running: 'running',
  waiting: 'waiting',
  backing_off: 'waiting',
  pending: 'next',
  failed: 'failed',
  succeeded: 'done',
  skipped: 'skipped',
  cancelled: 'skipped',
};

const groupOf = ({ status, hold }: Task): Group => (status === 'pending' && hold ? 'waiting' : GROUPS[status]);

/** What is at work or waits inside a sub-plan is shown below it. */
function placed(groups: Arranged, group: 'running' | 'waiting' | 'failed', task: Task): void {
  const { running } = groups;
  const outer = group === 'failed' ? undefined : running.findLast((other) => task.id.startsWith(`${other.task.id}/`));
  if (!outer) groups[group].push(whole(task));
  else running.push({ task, label: task.id.slice(outer.task.id.length + 1), depth: outer.depth + 1 });
}

const whole = (task: Task): Placed => ({ task, label: task.id, depth: 0 });
