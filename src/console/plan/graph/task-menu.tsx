import { PanelRightOpen } from 'lucide-react';
import { ContextMenu } from 'radix-ui';
import { type MouseEvent, type ReactNode, useState } from 'react';
import type { Task } from '../../api/types.ts';
import { useGraph } from './graph-context.ts';
import { HOLD_LOOKS } from './hold-button.tsx';
import { useKeyed } from './keyed.ts';
import { useHold } from './use-hold.ts';

/** The menu of a node: by the other mouse button, a long touch, or the keyboard's menu key. */
export function TaskMenu({ children }: { children: ReactNode }) {
  const [id, setId] = useState('');
  const choose = (event: MouseEvent) => {
    const task = (event.target as Element).closest<HTMLElement>('[data-task]')?.dataset.task;
    if (task === undefined) event.preventDefault();
    else setId(task);
  };
  return (
    <ContextMenu.Root modal={false}>
      <ContextMenu.Trigger asChild onContextMenu={choose}>
        {children}
      </ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Content className="menu" aria-label={`Task ${id}`}>
          <Items id={id} />
        </ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}

function Items({ id }: { id: string }) {
  const { store, open } = useGraph();
  const shown = useKeyed(store.tasks, id);
  return (
    <>
      <ContextMenu.Item className="menu-item" onSelect={() => open(id)}>
        <PanelRightOpen aria-hidden size={16} /> Open {id}
      </ContextMenu.Item>
      {shown && <HoldItem task={shown.task} />}
    </>
  );
}

function HoldItem({ task }: { task: Task }) {
  const { standing } = useGraph();
  const { action, refusal, send } = useHold(standing, task);
  const { icon: Icon, words } = HOLD_LOOKS[action];
  return (
    <ContextMenu.Item className="menu-item" disabled={refusal !== undefined} onSelect={send}>
      <Icon aria-hidden size={16} />
      <span>
        {words}
        {refusal !== undefined && <small className="menu-why">{refusal}</small>}
      </span>
    </ContextMenu.Item>
  );
}
