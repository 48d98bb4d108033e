import { useDeferredValue, useMemo, useRef, useState } from 'react';
import type { Plan } from '../../api/types.ts';
import { useNow } from '../../ui/clock.ts';
import { NO_TASKS, type Shown, shownOf } from '../graph/shown.ts';
import { useSelectedTask } from '../select-task.ts';
import { type Column, filtered, type Sorting, type StatusFilter, sorted } from './columns.ts';
import { Filters } from './filters.tsx';
import { TableHead } from './table-head.tsx';
import { TaskRow } from './task-row.tsx';
import { useRows } from './use-rows.ts';
import './table.css';

/** The plan's tasks as a table: all that the graph says, in words. */
export default function TableView({ plan }: { plan: Plan }) {
  const before = useRef<ReadonlyMap<string, Shown>>(undefined);
  const shown = useMemo(() => shownOf(plan, before.current), [plan]);
  before.current = shown;
  const [status, setStatus] = useState<StatusFilter>('');
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text);
  const [sorting, setSorting] = useState<Sorting>();
  const [selected, select] = useSelectedTask();
  const isTimed = sorting?.by === 'duration';
  const now = useNow();
  const at = isTimed ? now : 0;
  const all = useMemo(() => [...shown.values()], [shown]);
  const rows = useMemo(() => sorted(filtered(all, status, wanted), sorting, at), [all, status, wanted, sorting, at]);
  const scroll = useRef<HTMLDivElement>(null);
  const { visible, above, below } = useRows(rows, scroll);
  const sort = (by: Column) => setSorting((old) => nextSorting(old, by));
  return (
    <section aria-label="Tasks">
      <Filters {...{ all, rows, status, setStatus, text, setText }} />
      <div ref={scroll} className="scroll task-scroll">
        <table className="tasks" aria-rowcount={rows.length + 1}>
          <TableHead sorting={sorting} sort={sort} />
          <tbody>
            {above > 0 && <Space height={above} />}
            {visible.map(({ row, n }) => (
              <TaskRow
                key={row.task.id}
                plan={plan}
                shown={row}
                n={n + 2}
                isSelected={row.task.id === selected}
                select={select}
              />
            ))}
            {below > 0 && <Space height={below} />}
          </tbody>
        </table>
        {rows.length === 0 && <p className="empty">{all.length === 0 ? NO_TASKS : 'No task is like that.'}</p>}
      </div>
    </section>
  );
}

/** In place of rows that are not in view. */
const Space = ({ height }: { height: number }) => (
  <tr aria-hidden>
    <td className="task-space" style={{ height }} />
  </tr>
);

/** Up, down, and then again as the plan has them. */
function nextSorting(old: Sorting | undefined, by: Column): Sorting | undefined {
  if (old?.by !== by) return { by, isDown: false };
  return old.isDown ? undefined : { by, isDown: true };
}
