import type { NodeProps } from '@xyflow/react';
import type { Task } from '../../api/types.ts';
import { Badge, TaskBadge } from '../../ui/badge.tsx';
import { HELD_BADGE, REUSED_BADGE, TASK_BADGES } from '../../ui/badges.ts';
import { nameWithin, parentOf } from './family.ts';
import { useGraph } from './graph-context.ts';
import { isHeld, isHoldable } from './hold.ts';
import { HoldButton } from './hold-button.tsx';
import { useKeyed } from './keyed.ts';
import { NodeCard } from './node-card.tsx';
import { attemptOf, noteOf, type Shown } from './shown.ts';

/** A task of a plan. Colour, sign and words say its status. */
export function TaskNode({ id, type }: NodeProps) {
  const { store, open } = useGraph();
  const shown = useKeyed(store.tasks, id);
  const isSelected = useKeyed(store.selected, id) === true;
  // A task of a sub-plan may have left the plan a moment before its place has.
  if (!shown) return null;
  const { task } = shown;
  return (
    <NodeCard
      id={id}
      marks={store}
      look={lookOf(task)}
      name={nameWithin(id, parentOf(id, store.tasks.all()))}
      label={labelOf(shown)}
      isContainer={type === 'container'}
      isSelected={isSelected}
      status={task.status}
      onOpen={() => open(id)}
      details={(isActive) => <Details shown={shown} isActive={isActive} />}
    />
  );
}

function Details({ shown, isActive }: { shown: Shown; isActive: boolean }) {
  const { standing } = useGraph();
  const { task } = shown;
  const attempt = attemptOf(task);
  const note = noteOf(shown);
  return (
    <>
      <div className="task-marks">
        <TaskBadge status={task.status} />
        {isHeld(task) && <Badge look={HELD_BADGE} />}
        {task.reused && <Badge look={REUSED_BADGE} />}
        {task.queued && <span className="task-small">queued</span>}
        {attempt && <span className="task-small">attempt {attempt}</span>}
        <span className="task-small task-kind">{task.kind}</span>
      </div>
      <div className="task-note" data-alarming={task.status === 'failed' || undefined}>
        {task.items && <Items items={task.items} />}
        {note !== '' && (
          <span className="cut" title={note}>
            {note}
          </span>
        )}
      </div>
      {isHoldable(task) && (
        <HoldButton plan={standing} task={task} small look="quiet" className="task-hold" tabIndex={isActive ? 0 : -1} />
      )}
    </>
  );
}

function Items({ items: { total, succeeded, failed, skipped } }: { items: NonNullable<Task['items']> }) {
  const done = succeeded + failed + skipped;
  const share = (n: number) => ({ width: `${total === 0 ? 0 : (n / total) * 100}%` });
  const words = `${done}/${total}${failed > 0 ? `, ${failed} failed` : ''}`;
  return (
    <span className="task-items" title={`${done} of ${total} items have ended`}>
      <span className="task-bar">
        <span data-tone="green" style={share(succeeded)} />
        <span data-tone="red" style={share(failed)} />
        <span data-tone="gray" style={share(skipped)} />
      </span>
      {words}
    </span>
  );
}

/** Colour and sign of a task; what is held is seen as that. */
export const lookOf = (task: Pick<Task, 'status' | 'hold'>) => (isHeld(task) ? HELD_BADGE : TASK_BADGES[task.status]);

/** As it is read out: `task build, running, attempt 2 of 3`. */
export function labelOf({ task, ...rest }: Shown): string {
  const attempt = attemptOf(task);
  const items =
    task.items && `${task.items.succeeded + task.items.failed + task.items.skipped} of ${task.items.total} items`;
  const note = noteOf({ task, ...rest });
  return [
    `task ${task.id}`,
    TASK_BADGES[task.status].words.toLowerCase(),
    attempt && `attempt ${attempt}`,
    task.reused && 'reused',
    items,
    note,
  ]
    .filter(Boolean)
    .join(', ');
}
