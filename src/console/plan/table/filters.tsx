import type { Task } from '../../api/types.ts';
import { TASK_BADGES } from '../../ui/badges.ts';
import { isHeld } from '../graph/hold.ts';
import type { Shown } from '../graph/shown.ts';
import type { StatusFilter } from './columns.ts';

interface FiltersProps {
  all: Shown[];
  rows: Shown[];
  status: StatusFilter;
  setStatus: (status: StatusFilter) => void;
  text: string;
  setText: (text: string) => void;
}

export function Filters({ all, rows, status, setStatus, text, setText }: FiltersProps) {
  const count = (is: (task: Task) => boolean) => all.filter(({ task }) => is(task)).length;
  const choices: [StatusFilter, string, number][] = [
    ...(Object.keys(TASK_BADGES) as Task['status'][]).map((name): [StatusFilter, string, number] => [
      name,
      TASK_BADGES[name].words,
      count((task) => task.status === name),
    ]),
    ['held', 'Held', count(isHeld)],
    ['reused', 'Reused', count(({ reused }) => reused === true)],
  ];
  return (
    <div className="row task-filters">
      <input
        type="search"
        aria-label="Search the tasks"
        placeholder="Search"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <select aria-label="Status" value={status} onChange={({ target }) => setStatus(target.value as StatusFilter)}>
        <option value="">Any status</option>
        {choices.map(([name, words, n]) =>
          n > 0 || name === status ? (
            <option key={name} value={name}>
              {words} ({n})
            </option>
          ) : null,
        )}
      </select>
      <span className="muted" aria-live="polite">
        {rows.length === all.length ? `${all.length} tasks` : `${rows.length} of ${all.length} tasks`}
      </span>
    </div>
  );
}
