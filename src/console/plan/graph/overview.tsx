import { MiniMap, type MiniMapNodeProps, type Node } from '@xyflow/react';
import { useGraph } from './graph-context.ts';
import { useKeyed } from './keyed.ts';
import { lookOf } from './task-node.tsx';

/** The whole graph, small, in the colours of its tasks. */
export const Overview = () => (
  <MiniMap
    style={SIZE}
    nodeComponent={Spot}
    nodeClassName={classOf}
    pannable
    zoomable
    ariaLabel="The whole graph, small"
    position="bottom-right"
  />
);

const classOf = ({ type }: Node) => `spot ${type}`;
const SIZE = { width: 150, height: 100 };

function Spot({ id, className, x, y, width, height }: MiniMapNodeProps) {
  const { store } = useGraph();
  const shown = useKeyed(store.tasks, id);
  if (!shown) return null;
  return (
    <rect className={className} data-tone={lookOf(shown.task).tone} x={x} y={y} width={width} height={height} rx={8} />
  );
}
