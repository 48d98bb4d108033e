import { useSelectedTask } from '../select-task.ts';

/** A task's id, by which the task is looked at. */
export function TaskButton({ id }: { id: string }) {
  const [, select] = useSelectedTask();
  return (
    <button type="button" className="task-button" title={`Look at the task ${id}`} onClick={() => select(id)}>
      <code>{id}</code>
    </button>
  );
}
