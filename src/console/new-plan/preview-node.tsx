import type { NodeProps } from '@xyflow/react';
import {
  Circle,
  Clock,
  Flag,
  Globe,
  type LucideIcon,
  Repeat,
  Terminal,
  TextCursorInput,
  UserCheck,
  Variable,
  Workflow,
} from 'lucide-react';
import { createContext, useContext } from 'react';
import type { DryRun } from '../api/types.ts';
import { nameWithin, parentOf } from '../plan/graph/family.ts';
import type { Marks } from '../plan/graph/marks.ts';
import { NodeCard } from '../plan/graph/node-card.tsx';
import { kindOf } from './layers.tsx';

export interface Preview {
  tasks: ReadonlyMap<string, DryRun['would_run'][number]>;
  marks: Marks;
  onOpen: (task: string) => void;
}
export const PreviewContext = createContext<Preview | undefined>(undefined);

const ICONS: Record<string, LucideIcon> = {
  run: Terminal,
  http: Globe,
  approve: UserCheck,
  input: TextCursorInput,
  checkpoint: Flag,
  wait: Clock,
  set: Variable,
  map: Repeat,
  plan: Workflow,
};

/** A task that would run: what it is, and on which condition. */
export function PreviewNode({ id, type }: NodeProps) {
  const preview = useContext(PreviewContext);
  const task = preview?.tasks.get(id);
  // A task may have left the file a moment before its place has.
  if (!preview || !task) return null;
  const { tasks, marks, onOpen } = preview;
  const icon = ICONS[task.kind] ?? Circle;
  const kind = kindOf(task);
  return (
    <NodeCard
      id={id}
      marks={marks}
      look={{ tone: 'gray', icon }}
      name={nameWithin(id, parentOf(id, tasks))}
      label={`task ${id}, ${kind}`}
      isContainer={type === 'container'}
      onOpen={() => onOpen(id)}
      details={() => <Details kind={kind} icon={icon} when={task.when} />}
    />
  );
}

function Details({ kind, icon: Icon, when }: { kind: string; icon: LucideIcon; when: string | undefined }) {
  return (
    <>
      <div className="task-marks">
        <Icon aria-hidden size={15} />
        <span className="task-small cut">{kind}</span>
      </div>
      {when !== undefined && (
        <div className="task-note">
          <span className="cut" title={when}>
            if {when}
          </span>
        </div>
      )}
    </>
  );
}
