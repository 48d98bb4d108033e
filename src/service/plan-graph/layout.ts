import dagre from '@dagrejs/dagre';
import type { GraphEdge, GraphNode } from './graph.ts';

export interface Size {
  width: number;
  height: number;
}
export interface Point {
  x: number;
  y: number;
}
/** `x` and `y` are its middle. */
export type Placed = Size & Point & { id: string };

export interface Layout extends Size {
  boxes: Placed[];
  /** From the lower side of one box, by way of the gaps between others, to the upper side of another. */
  edges: (GraphEdge & { points: Point[] })[];
}

export interface Gaps {
  between: number;
  layers: number;
  lines: number;
}

/** Places the boxes of one group from top to bottom, every task in the row of its layer, with few crossings. */
export function layOut(
  nodes: readonly Pick<GraphNode, 'id' | 'layer' | 'needs'>[],
  sizeOf: (id: string) => Size,
  { between, layers, lines }: Gaps,
): Layout {
  const graph = new dagre.graphlib.Graph();
  // Every edge is just as long as the layers say: the ranker has nothing to shorten, and the simplest is the quickest.
  graph.setGraph({ rankdir: 'TB', nodesep: between, ranksep: layers, edgesep: lines, ranker: 'tight-tree' });
  const layerOf = new Map(nodes.map(({ id, layer }) => [id, layer]));
  for (const { id } of nodes) graph.setNode(id, { ...sizeOf(id) });
  for (const { id, layer, needs } of nodes)
    for (const need of needs) graph.setEdge(need, id, { minlen: layer - layerOf.get(need)!, points: [] });
  if (nodes.length > 0) dagre.layout(graph);
  const { width = 0, height = 0 } = graph.graph() as Partial<Size>;
  const boxes = nodes.map(({ id }) => {
    const { x, y, width, height } = graph.node(id) as Placed;
    return { id, x, y, width, height };
  });
  const edges = nodes.flatMap(({ id: to, needs }) =>
    needs.map((from) => ({ from, to, points: (graph.edge(from, to) as { points: Point[] }).points })),
  );
  return { width, height, boxes, edges };
}
