import { MiniMap, type MiniMapNodeProps } from '@xyflow/react';
import { useGraph } from './graph-context.ts';
import { useKeyed } from './keyed.ts';
import { lookOf } from './task-node.tsx';

/** The whole graph, small, in the colours of its tasks. */
export const Overview = () => (
  <MiniMap nodeComponent={Spot} pannable zoomable ariaLabel="The whole graph, small" position="bottom-right" />
);

function Spot({ id, x, y, width, height }: MiniMapNodeProps) {
  const { store } = useGraph();
  const shown = useKeyed(store.tasks, id);
  if (!shown) return null;
  return <rect className="spot" data-tone={lookOf(shown.task).tone} x={x} y={y} width={width} height={height} rx={8} />;
}
