import { type Node, Panel, ReactFlow, useReactFlow } from '@xyflow/react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Finder } from './finder.tsx';
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
import { ViewButtons } from './view-buttons.tsx';

const NODE_TYPES = { task: TaskNode, container: TaskNode, group: GroupNode };
/** Of more than so many tasks only those in view are drawn. */
const LARGE = 150;
/** Texts for who hears the page: the graph is to be read, not edited. */
const LABELS = {
  'node.a11yDescription.default': 'Enter opens the task.',
  'node.a11yDescription.keyboardDisabled': 'Enter opens the task.',
  'edge.a11yDescription.default': 'A line from a task to one that needs it.',
  'minimap.ariaLabel': 'The whole graph, small',
};

export function Canvas({ layout, current }: { layout: Layout; current: string | null }) {
  const { store, standing } = useGraph();
  const { getZoom } = useReactFlow();
  const [follows, setFollows] = useState(false);
  const nodes = useMemo(() => nodesOf(layout), [layout]);
  const isLarge = layout.tasks.length > LARGE;
  const camera = useCamera(layout, isLarge);
  const keys = useArrowKeys(layout, camera);
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
          edges={NO_EDGES}
          nodeTypes={NODE_TYPES}
          onInit={() => camera.begin(current)}
          onMoveStart={onMoveStart}
          onMoveEnd={camera.moved}
          onlyRenderVisibleElements={isLarge}
          minZoom={0.03}
          maxZoom={1.75}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          disableKeyboardA11y
          deleteKeyCode={null}
          selectionKeyCode={null}
          multiSelectionKeyCode={null}
          ariaLabelConfig={LABELS}
          proOptions={PRO}
        >
          <Needs layout={layout} />
          <Panel position="top-center">
            <PausedBadge plan={standing} />
          </Panel>
          <Panel position="top-left">
            <Finder layout={layout} camera={camera} />
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
const NO_EDGES: never[] = [];
const PRO = { hideAttribution: true };

/** Nodes say where they are, and nothing that changes: what they show they read themselves. */
function nodesOf({ tasks, groups }: Layout): Node[] {
  const plain = { 'aria-roledescription': undefined };
  const common = { data: {}, handles: [], focusable: false, domAttributes: plain as Node['domAttributes'] & object };
  return [
    ...groups.map(({ handler, x, y, width, height }) => ({
      ...common,
      id: `group ${handler}`,
      type: 'group',
      position: { x, y },
      width,
      height,
      measured: { width, height },
      data: { handler },
      zIndex: -1,
    })),
    ...tasks.map(({ id, x, y, width, height, isContainer }) => ({
      ...common,
      id,
      type: isContainer ? 'container' : 'task',
      position: { x, y },
      width,
      height,
      measured: { width, height },
      zIndex: isContainer ? 1 : 3,
    })),
  ];
}
