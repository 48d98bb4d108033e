import { useId } from 'react';
import type { Plan } from '../../../api/types.ts';

interface FromTaskProps {
  plan: Plan;
  /** Empty: from what is not finished. */
  value: string;
  onChange: (from: string) => void;
}

/** From which task on a resume runs again. */
export function FromTask({ plan, value, onChange }: FromTaskProps) {
  const id = useId();
  // What is inside a map or sub-plan cannot be begun from, nor can handlers.
  const tasks = plan.tasks.filter((task) => task.handler === undefined && !/[[/]/.test(task.id));
  return (
    <div className="field">
      <label htmlFor={id}>Run again from</label>
      <select id={id} value={value} aria-describedby={`${id}-hint`} onChange={(e) => onChange(e.target.value)}>
        <option value="">what is not finished</option>
        {tasks.map((task) => (
          <option key={task.id} value={task.id}>
            {task.id}
          </option>
        ))}
      </select>
      <p id={`${id}-hint`} className="hint">
        A task that is chosen runs again with all that depends on it, though it was finished.
      </p>
    </div>
  );
}
