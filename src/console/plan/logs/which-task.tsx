import { useId, useState } from 'react';
import type { Plan } from '../../api/types.ts';
import type { FirstShown } from './first-shown.ts';

const ANOTHER = '\u0000another';

const FIRST: Record<FirstShown['is'], string> = {
  at_work: 'The one at work',
  failed: 'The one that failed',
  last: 'The last at work',
};

interface WhichTaskProps {
  plan: Plan;
  /** As the address says; undefined: whatever is at work. */
  chosen: string | undefined;
  onChoose: (task: string | undefined) => void;
  /** What is shown where none is chosen. */
  first: FirstShown;
}

/** Chooses the task of which the log is shown; what is inside a map, or was inside a sub-plan, by its name. */
export function WhichTask({ plan, chosen, onChoose, first }: WhichTaskProps) {
  const id = useId();
  const isListed = chosen === undefined || plan.tasks.some((task) => task.id === chosen);
  const [isNaming, setNaming] = useState(false);
  const isByName = isNaming || !isListed;
  return (
    <>
      <span className="log-pick">
        <label htmlFor={id}>Task</label>
        <select
          id={id}
          className="log-task"
          value={isByName ? ANOTHER : (chosen ?? '')}
          onChange={({ target: { value } }) => {
            setNaming(value === ANOTHER);
            if (value !== ANOTHER) onChoose(value === '' ? undefined : value);
          }}
        >
          <option value="">{first.task === undefined ? FIRST[first.is] : `${FIRST[first.is]}: ${first.task}`}</option>
          {plan.tasks.map((task) => (
            <option key={task.id} value={task.id}>
              {task.id}
            </option>
          ))}
          <option value={ANOTHER}>Another, by its name …</option>
        </select>
      </span>
      {isByName && (
        <form
          className="log-name"
          onSubmit={(event) => {
            event.preventDefault();
            const name = String(new FormData(event.currentTarget).get('task')).trim();
            if (name !== '') onChoose(name);
          }}
        >
          <input
            key={chosen}
            name="task"
            aria-label="Name of the task"
            placeholder="each[3], build/compile"
            defaultValue={chosen ?? ''}
          />
          <button type="submit" className="button">
            Show
          </button>
        </form>
      )}
    </>
  );
}
