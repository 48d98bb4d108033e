import { memo } from 'react';
import type { Task } from '../../api/types.ts';
import { Badge, TaskBadge } from '../../ui/badge.tsx';
import { HELD_BADGE, REUSED_BADGE } from '../../ui/badges.ts';
import { useNow } from '../../ui/clock.ts';
import { Ago, Clock, duration } from '../../ui/times.tsx';
import type { Standing } from '../graph/hold.ts';
import { isHeld, isHoldable } from '../graph/hold.ts';
import { HoldButton } from '../graph/hold-button.tsx';
import { attemptOf, noteOf, type Shown } from '../graph/shown.ts';
import { lengthOf } from './columns.ts';

interface TaskRowProps {
  plan: Standing;
  shown: Shown;
  /** Which row of the table it is, from 1. */
  n: number;
  isSelected: boolean;
  select: (task: string) => void;
}

export const TaskRow = memo(
  function TaskRow({ plan, shown, n, isSelected, select }: TaskRowProps) {
    const { task } = shown;
    const note = noteOf(shown);
    return (
      // The button within is what the keyboard has.
      <tr
        className="task-row"
        aria-rowindex={n}
        data-selected={isSelected || undefined}
        onClick={({ target }) => !(target as Element).closest('button') && select(task.id)}
      >
        <th scope="row" className="task-name">
          <button type="button" className="link" aria-pressed={isSelected} onClick={() => select(task.id)}>
            {task.id}
          </button>
          {task.handler && <span className="hint"> {task.handler}</span>}
        </th>
        <td className="mono">{task.kind}</td>
        <td>
          <span className="row task-badges">
            <TaskBadge status={task.status} />
            {isHeld(task) && <Badge look={HELD_BADGE} />}
            {task.reused && <Badge look={REUSED_BADGE} />}
          </span>
        </td>
        <td className="task-needs">
          <span className="cut" title={task.needs.join(', ')}>
            {task.needs.join(', ')}
          </span>
        </td>
        <td className="nowrap">{attemptOf(task) ?? (task.attempt > 0 ? task.attempt : '')}</td>
        <td className="nowrap">{task.started_at && <Clock at={task.started_at} />}</td>
        <td className="nowrap">{task.started_at && <Length task={task} />}</td>
        <td className="task-words" data-alarming={task.status === 'failed' || undefined}>
          {task.items && <Items items={task.items} />}
          <span className="task-why" title={note}>
            {note}
          </span>
          {task.hold && isHeld(task) && (
            <span className="hint">
              {' '}
              <Ago at={task.hold.since} />
            </span>
          )}
        </td>
        <td className="task-act">{isHoldable(task) && <HoldButton plan={plan} task={task} />}</td>
      </tr>
    );
  },
  (old, next) =>
    old.shown === next.shown &&
    old.n === next.n &&
    old.isSelected === next.isSelected &&
    old.plan.state === next.plan.state &&
    old.plan.pausing === next.plan.pausing &&
    old.plan.stopping === next.plan.stopping &&
    old.plan.allowed_actions === next.plan.allowed_actions,
);

function Length({ task }: { task: Task }) {
  const ms = lengthOf(task, useNow());
  return ms === undefined ? null : duration(ms);
}

function Items({ items: { total, succeeded, failed, skipped } }: { items: NonNullable<Task['items']> }) {
  return (
    <span className="nowrap">
      {succeeded + failed + skipped}/{total} items{failed > 0 && `, ${failed} failed`}{' '}
    </span>
  );
}
