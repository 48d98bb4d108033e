import type { Plan, Task } from '../../api/types.ts';
import { TaskBadge } from '../../ui/badge.tsx';

/** One task beside the view. */
export function TaskPanel({ task }: { plan: Plan; task: Task }) {
  return (
    <aside className="card" aria-label={`Task ${task.id}`}>
      <h2>{task.id}</h2>
      <TaskBadge status={task.status} />
    </aside>
  );
}
