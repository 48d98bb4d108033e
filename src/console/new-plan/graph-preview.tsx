import { ReactFlow, ReactFlowProvider } from '@xyflow/react';
import { useEffect, useMemo, useState } from 'react';
import type { DryRun } from '../api/types.ts';
import { Finder } from '../plan/graph/finder.tsx';
import { LARGE, nodesOf, TO_BE_READ } from '../plan/graph/flow.ts';
import { GroupNode } from '../plan/graph/group-node.tsx';
import type { Layout } from '../plan/graph/layout.ts';
import { Marks } from '../plan/graph/marks.ts';
import { NeedLines } from '../plan/graph/needs.tsx';
import { useArrowKeys } from '../plan/graph/use-arrow-keys.ts';
import { useCamera } from '../plan/graph/use-camera.ts';
import { useFrame } from '../plan/graph/use-frame.ts';
import { useLayout } from '../plan/graph/use-layout.ts';
import { ViewButtons } from '../plan/graph/view-buttons.tsx';
import { type Preview, PreviewContext, PreviewNode } from './preview-node.tsx';
import '@xyflow/react/dist/base.css';
import '../plan/graph/graph.css';

interface GraphPreviewProps {
  tasks: DryRun['would_run'];
  onOpen: (task: string) => void;
}

/** What would run, and after what, as a drawing. */
export default function GraphPreview({ tasks, onOpen }: GraphPreviewProps) {
  const [marks] = useState(() => new Marks());
  const [ref, frame] = useFrame();
  const { layout, error } = useLayout(tasks, frame);
  const preview: Preview = {
    tasks: useMemo(() => new Map(tasks.map((task) => [task.id, task])), [tasks]),
    marks,
    onOpen,
  };
  return (
    <div ref={ref} className="graph graph-preview">
      {error && <p role="alert">{error.message}</p>}
      {!layout && !error && <p className="muted graph-drawing">Drawing …</p>}
      {layout && (
        <PreviewContext value={preview}>
          <ReactFlowProvider>
            <Drawing layout={layout} tasks={tasks} marks={marks} />
          </ReactFlowProvider>
        </PreviewContext>
      )}
    </div>
  );
}

const NODE_TYPES = { task: PreviewNode, container: PreviewNode, group: GroupNode };
/** Nothing runs yet. */
const lookOf = () => 'open' as const;

function Drawing({ layout, tasks, marks }: { layout: Layout; tasks: DryRun['would_run']; marks: Marks }) {
  const nodes = useMemo(() => nodesOf(layout), [layout]);
  const isLarge = layout.tasks.length > LARGE;
  const camera = useCamera(layout, isLarge, marks);
  const keys = useArrowKeys(layout, camera, marks);
  useEffect(() => {
    const active = marks.activeId();
    if (!layout.tasks.some(({ id }) => id === active)) marks.mark('active', layout.tasks[0]?.id);
  }, [layout, marks]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the buttons within
    <div className="graph-keys" onKeyDown={keys}>
      <ReactFlow
        {...TO_BE_READ}
        nodes={nodes}
        nodeTypes={NODE_TYPES}
        onInit={() => camera.begin(null)}
        onMoveEnd={camera.moved}
        onlyRenderVisibleElements={isLarge}
        // The wheel moves the page, which goes on below.
        zoomOnScroll={false}
        preventScrolling={false}
      >
        <NeedLines layout={layout} tasks={tasks} lookOf={lookOf} />
        <div className="graph-preview-bar">
          <ViewButtons camera={camera} />
          {isLarge && <Finder layout={layout} camera={camera} marks={marks} />}
        </div>
      </ReactFlow>
    </div>
  );
}
