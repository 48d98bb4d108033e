import { type NodeProps, type ReactFlowState, useStore } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import type { Task } from '../../api/types.ts';
import { Badge, TaskBadge } from '../../ui/badge.tsx';
import { HELD_BADGE, REUSED_BADGE, TASK_BADGES } from '../../ui/badges.ts';
import { nameWithin, parentOf } from './family.ts';
import { useGraph } from './graph-context.ts';
import { isHeld, isHoldable } from './hold.ts';
import { HoldButton } from './hold-button.tsx';
import { useKeyed } from './keyed.ts';
import { attemptOf, noteOf, type Shown } from './shown.ts';

type Distance = 'near' | 'middle' | 'far';
/** From where small words cannot be read, and then none: a node is its name, its colour and its sign, then the last two. */
const distanceIn = ({ transform: [, , zoom] }: ReactFlowState): Distance =>
  zoom >= 0.5 ? 'near' : zoom >= 0.22 ? 'middle' : 'far';

/** A task's card; of one that others run in, above them. Colour, sign and words say its status. */
export function TaskNode({ id, type }: NodeProps) {
  const { store, open } = useGraph();
  const shown = useKeyed(store.tasks, id);
  const isSelected = useKeyed(store.selected, id) === true;
  const isActive = useKeyed(store.active, id) === true;
  const distance = useStore(distanceIn);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isActive || !store.wantsFocus) return;
    store.wantsFocus = false;
    button.current?.focus({ preventScroll: true });
  }, [isActive, store]);
  // A task of a sub-plan may have left the plan a moment before its place has.
  if (!shown) return null;
  const { task } = shown;
  const { tone, icon: Icon } = lookOf(task);
  const name = nameWithin(id, parentOf(id, store.tasks.all()));
  return (
    <div
      className="task-node"
      data-task={id}
      data-tone={tone}
      data-status={task.status}
      data-selected={isSelected || undefined}
      data-active={isActive || undefined}
      data-container={type === 'container' || undefined}
      data-distance={distance}
    >
      <div className="task-card">
        <button
          ref={button}
          type="button"
          className="task-open"
          tabIndex={isActive ? 0 : -1}
          aria-label={labelOf(shown)}
          aria-pressed={isSelected}
          title={distance === 'near' ? undefined : labelOf(shown)}
          onFocus={() => store.mark('active', id)}
          onClick={() => open(id)}
        >
          {distance !== 'near' && <Icon aria-hidden size={distance === 'far' ? 60 : 34} />}
          {distance !== 'far' && <span className="cut">{name}</span>}
        </button>
        {distance === 'near' && <Details shown={shown} isActive={isActive} />}
      </div>
    </div>
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
