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

export interface Layout extends Size {
  /** `x` and `y` are the middle of each. */
  boxes: (Size & Point & { id: string })[];
  /** The layers, from above: each has the height of its highest box. */
  layers: { top: number; bottom: number }[];
  /** `past`: where a line goes through the layers between its two ends. */
  edges: (GraphEdge & { past: number[] })[];
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
  gaps: Gaps,
): Layout {
  const graph = new dagre.graphlib.Graph();
  const { between: nodesep, layers: ranksep, lines: edgesep } = gaps;
  // Every edge is just as long as the layers say: the ranker has nothing to shorten, and the simplest is the quickest.
  graph.setGraph({ rankdir: 'TB', nodesep, ranksep, edgesep, ranker: 'tight-tree' });
  const layerOf = new Map(nodes.map(({ id, layer }) => [id, layer]));
  for (const { id } of nodes) graph.setNode(id, { ...sizeOf(id) });
  for (const { id, layer, needs } of nodes)
    for (const need of needs) graph.setEdge(need, id, { minlen: layer - layerOf.get(need)!, points: [] });
  if (nodes.length > 0) dagre.layout(graph);
  const boxes = nodes.map(({ id }) => {
    const { x, y, width, height } = graph.node(id) as Size & Point;
    return { id, x, y, width, height };
  });
  const layers: Layout['layers'] = [];
  for (const { id, y, height } of boxes) {
    const layer = layerOf.get(id)!;
    const { top, bottom } = layers[layer] ?? { top: y, bottom: y };
    layers[layer] = { top: Math.min(top, y - height / 2), bottom: Math.max(bottom, y + height / 2) };
  }
  const edges = nodes.flatMap(({ id: to, layer, needs }) =>
    needs.map((from) => {
      const { points } = graph.edge(from, to) as { points: Point[] };
      const between = layers.slice(layerOf.get(from)! + 1, layer);
      return { from, to, past: between.map((past) => nearest(points, (past.top + past.bottom) / 2).x) };
    }),
  );
  return { ...fromLeft(boxes, edges), height: layers.at(-1)?.bottom ?? 0, layers };
}

/** A line may have been led round all boxes: then it is what begins at 0, or ends at the width. */
function fromLeft(boxes: Layout['boxes'], edges: Layout['edges']): Pick<Layout, 'width' | 'boxes' | 'edges'> {
  let [left, right] = [Infinity, 0];
  const reach = (from: number, to: number) => {
    left = Math.min(left, from);
    right = Math.max(right, to);
  };
  for (const { x, width } of boxes) reach(x - width / 2, x + width / 2);
  for (const { past } of edges) for (const x of past) reach(x, x);
  return {
    width: Math.max(0, right - left),
    boxes: boxes.map((box) => ({ ...box, x: box.x - left })),
    edges: edges.map((edge) => ({ ...edge, past: edge.past.map((x) => x - left) })),
  };
}

const nearest = (points: Point[], y: number): Point =>
  points.reduce((best, point) => (Math.abs(point.y - y) < Math.abs(best.y - y) ? point : best));
