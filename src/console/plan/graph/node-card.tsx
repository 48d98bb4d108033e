import { type ReactFlowState, useStore } from '@xyflow/react';
import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useKeyed } from './keyed.ts';
import type { Marks } from './marks.ts';

interface NodeCardProps {
  id: string;
  marks: Marks;
  look: { tone: string; icon: LucideIcon };
  name: string;
  /** As it is read out. */
  label: string;
  isContainer: boolean;
  /** Where it is a switch: whether it is on. */
  isSelected?: boolean;
  status?: string;
  onOpen: () => void;
  /** What is there to be read from near. */
  details: (isActive: boolean) => ReactNode;
}

type Distance = 'near' | 'middle' | 'far';
/** From where small words cannot be read, and then none: a node is its name, its colour and its sign, then the last two. */
const distanceIn = ({ transform: [, , zoom] }: ReactFlowState): Distance =>
  zoom >= 0.5 ? 'near' : zoom >= 0.22 ? 'middle' : 'far';

/** A task's card; of one that others run in, above them. */
export function NodeCard(props: NodeCardProps) {
  const { id, marks, look, name, label, isContainer, isSelected, status, onOpen, details } = props;
  const isActive = useKeyed(marks.active, id) === true;
  const distance = useStore(distanceIn);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isActive || !marks.wantsFocus) return;
    marks.wantsFocus = false;
    button.current?.focus({ preventScroll: true });
  }, [isActive, marks]);
  const { tone, icon: Icon } = look;
  return (
    <div
      className="task-node"
      data-task={id}
      data-tone={tone}
      data-status={status}
      data-selected={isSelected || undefined}
      data-active={isActive || undefined}
      data-container={isContainer || undefined}
      data-distance={distance}
    >
      <div className="task-card">
        <button
          ref={button}
          type="button"
          className="task-open"
          tabIndex={isActive ? 0 : -1}
          aria-label={label}
          aria-pressed={isSelected}
          title={distance === 'near' ? undefined : label}
          onFocus={() => marks.mark('active', id)}
          onClick={onOpen}
        >
          {distance !== 'near' && <Icon aria-hidden size={distance === 'far' ? 60 : 34} />}
          {distance !== 'far' && <span className="cut">{name}</span>}
        </button>
        {distance === 'near' && details(isActive)}
      </div>
    </div>
  );
}
