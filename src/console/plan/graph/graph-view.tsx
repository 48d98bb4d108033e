import { ReactFlowProvider } from '@xyflow/react';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Plan } from '../../api/types.ts';
import { useSelectedTask } from '../select-task.ts';
import { Canvas } from './canvas.tsx';
import { GraphContext, GraphStore } from './graph-context.ts';
import type { Standing } from './hold.ts';
import { NO_TASKS, shownOf } from './shown.ts';
import { useFrame } from './use-frame.ts';
import { useLayout } from './use-layout.ts';
import '@xyflow/react/dist/base.css';
import './graph.css';

/** The plan's tasks and what they need, as a drawing that follows what happens. */
export default function GraphView({ plan }: { plan: Plan }) {
  const [store] = useState(() => {
    const made = new GraphStore();
    made.tasks.replace(shownOf(plan));
    return made;
  });
  const [selected, select] = useSelectedTask();
  useLayoutEffect(() => store.tasks.replace(shownOf(plan, store.tasks.all())), [plan, store]);
  useLayoutEffect(() => store.mark('selected', selected), [selected, store]);
  const [ref, frame] = useFrame();
  const { layout, error } = useLayout(plan.tasks, frame);
  const standing = useStanding(plan);
  const direction = layout?.direction ?? 'down';
  const opening = useRef(select);
  opening.current = select;
  const graph = useMemo(
    () => ({ store, standing, direction, open: (task: string) => opening.current(task) }),
    [store, standing, direction],
  );
  const isUnknown = plan.tasks.length === 0;
  return (
    <div ref={ref} className="graph">
      {isUnknown && <p className="empty">{NO_TASKS}</p>}
      {error && <p role="alert">{error.message}</p>}
      {!layout && !error && <p className="muted graph-drawing">Drawing …</p>}
      {layout && !isUnknown && (
        <GraphContext value={graph}>
          <ReactFlowProvider>
            <Canvas layout={layout} current={plan.current_task} />
          </ReactFlowProvider>
        </GraphContext>
      )}
    </div>
  );
}

/** What buttons depend on; the same object until something of it is another, so that events of tasks redraw no buttons. */
function useStanding({ plan_id, state, pausing, stopping, allowed_actions }: Plan): Standing {
  const { status } = state;
  const actions = allowed_actions.join();
  // `status` and `actions` stand for what they are made of
  return useMemo(
    () => ({ plan_id, state, pausing, stopping, allowed_actions }),
    [plan_id, status, pausing, stopping, actions],
  );
}
