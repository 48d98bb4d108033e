import { Panel, ReactFlow, useReactFlow } from '@xyflow/react';
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Finder } from './finder.tsx';
import { LARGE, nodesOf, TO_BE_READ } from './flow.ts';
import { useGraph } from './graph-context.ts';
import { GroupNode } from './group-node.tsx';
import type { Layout } from './layout.ts';
import { Needs } from './needs.tsx';
import { Overview } from './overview.tsx';
import { PausedBadge } from './paused-badge.tsx';
import { TaskMenu } from './task-menu.tsx';
import { TaskNode } from './task-node.tsx';
import { useArrowKeys } from './use-arrow-keys.ts';
import { useCamera } from './use-camera.ts';
import { useHoldKey } from './use-hold-key.ts';
import { ViewButtons } from './view-buttons.tsx';

const NODE_TYPES = { task: TaskNode, container: TaskNode, group: GroupNode };

export function Canvas({ layout, current }: { layout: Layout; current: string | null }) {
  const { store, standing } = useGraph();
  const { getZoom } = useReactFlow();
  const [follows, setFollows] = useState(false);
  const nodes = useMemo(() => nodesOf(layout), [layout]);
  const isLarge = layout.tasks.length > LARGE;
  const camera = useCamera(layout, isLarge, store);
  const arrows = useArrowKeys(layout, camera, store);
  const holds = useHoldKey();
  const keys = (event: KeyboardEvent) => {
    arrows(event);
    holds(event);
  };
  const start = useRef(current);
  useEffect(() => {
    const ids = new Set(layout.tasks.map(({ id }) => id));
    const first = [store.activeId(), ...store.selected.all().keys(), start.current].find((id) => id && ids.has(id));
    store.mark('active', first ?? layout.tasks[0]?.id);
  }, [layout, store]);
  useEffect(() => {
    if (follows && current !== null) camera.show(current, Math.max(0.7, getZoom()));
  }, [follows, current, camera, getZoom]);
  const onMoveStart = useCallback((event: unknown) => {
    // Whoever moves the graph by hand wants to look elsewhere.
    if (event) setFollows(false);
  }, []);
  return (
    <TaskMenu>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the buttons within */}
      <div className="graph-keys" onKeyDown={keys}>
        <ReactFlow
          nodes={nodes}
          {...TO_BE_READ}
          nodeTypes={NODE_TYPES}
          onInit={() => camera.begin(current)}
          onMoveStart={onMoveStart}
          onMoveEnd={camera.moved}
          onlyRenderVisibleElements={isLarge}
        >
          <Needs layout={layout} />
          <Panel position="top-center">
            <PausedBadge plan={standing} />
          </Panel>
          <Panel position="top-left">
            <Finder layout={layout} camera={camera} marks={store} />
          </Panel>
          <Panel position="bottom-left">
            <ViewButtons camera={camera} follows={follows} follow={setFollows} />
          </Panel>
          <Overview />
        </ReactFlow>
      </div>
    </TaskMenu>
  );
}
