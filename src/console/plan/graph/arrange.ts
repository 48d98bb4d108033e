import dagre from '@dagrejs/dagre';
import { layersOf } from './layers.ts';

export interface Size {
  width: number;
  height: number;
}
export type Direction = 'down' | 'right';
interface Item {
  id: string;
  needs: string[];
  size: Size;
}
export interface Point {
  x: number;
  y: number;
}
interface Arranged {
  size: Size;
  /** Upper left corners. */
  places: Map<string, Point>;
  /** How lines that pass others go around them. */
  ways: { from: string; to: string; points: Point[] }[];
}

/** Dagre takes seconds for more than these, and minutes for a thousand tasks that each need many. */
const MOST_ITEMS = 200;
const MOST_EDGES = 600;
const SWEEPS = 6;
const GAP = { beside: 28, down: 52, right: 64 } as const;

/** Places items by what they need: nothing overlaps, and what is needed comes first in the direction. */
export function arrange(items: Item[], direction: Direction): Arranged {
  if (items.length === 0) return { size: { width: 0, height: 0 }, places: new Map(), ways: [] };
  const edges = items.reduce((sum, { needs }) => sum + needs.length, 0);
  return edges === 0 || items.length > MOST_ITEMS || edges > MOST_EDGES
    ? inLayers(items, direction)
    : byDagre(items, direction);
}

function byDagre(items: Item[], direction: Direction): Arranged {
  const graph = new dagre.graphlib.Graph();
  const rankdir = direction === 'down' ? 'TB' : 'LR';
  // At the top of their layer: a line to a card beside a large box does not pass behind the box.
  graph.setGraph({ rankdir, rankalign: 'top', nodesep: GAP.beside, ranksep: GAP[direction] });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, size } of items) graph.setNode(id, { ...size });
  for (const { id, needs } of items) for (const need of needs) if (graph.hasNode(need)) graph.setEdge(need, id);
  dagre.layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  const places = new Map(
    items.map(({ id, size }) => {
      const { x, y } = graph.node(id);
      return [id, { x: x - size.width / 2, y: y - size.height / 2 }];
    }),
  );
  // Of a line to the next layer there are its ends and its middle, which say nothing.
  const ways = graph.edges().flatMap(({ v: from, w: to }: { v: string; w: string }) => {
    const points: Point[] = graph.edge({ v: from, w: to }).points.slice(1, -1);
    return points.length > 1 ? [{ from, to, points: points.map(({ x, y }) => ({ x, y })) }] : [];
  });
  return { size: { width, height }, places, ways };
}

/** The same by simpler means, in time that grows with the plan: layer after layer, each in the order of what it needs. */
function inLayers(items: Item[], direction: Direction): Arranged {
  const layers = unbound(layersOf(items), direction);
  order(layers);
  const isDown = direction === 'down';
  const across = ({ size }: Item) => (isDown ? size.width : size.height);
  const along = ({ size }: Item) => (isDown ? size.height : size.width);
  const lengths = layers.map((layer) => layer.reduce((sum, item) => sum + across(item) + GAP.beside, -GAP.beside));
  const longest = Math.max(...lengths);
  const places: Arranged['places'] = new Map();
  let far = 0;
  for (const [n, layer] of layers.entries()) {
    let near = (longest - lengths[n]!) / 2;
    for (const item of layer) {
      places.set(item.id, isDown ? { x: near, y: far } : { x: far, y: near });
      near += across(item) + GAP.beside;
    }
    far += Math.max(...layer.map(along)) + GAP[direction];
  }
  far -= GAP[direction];
  return { size: isDown ? { width: longest, height: far } : { width: far, height: longest }, places, ways: [] };
}

/** Many that need nothing are no line of a mile, but rows. */
function unbound(layers: Item[][], direction: Direction): Item[][] {
  if (layers.length > 1) return layers;
  const [all = []] = layers;
  const perRow = Math.ceil(Math.sqrt(all.length * (direction === 'down' ? 1 : 0.6)));
  return Array.from({ length: Math.ceil(all.length / perRow) }, (_, n) => all.slice(n * perRow, (n + 1) * perRow));
}

/** Puts each near the middle of what it needs, then near the middle of what needs it, some times: fewer lines cross. */
function order(layers: Item[][]): void {
  const needs = new Map<string, string[]>();
  const neededBy = new Map<string, string[]>();
  for (const { id, needs: of } of layers.flat()) {
    needs.set(id, of);
    for (const need of of) neededBy.set(need, [...(neededBy.get(need) ?? []), id]);
  }
  const places = new Map<string, number>();
  const note = (layer: Item[]) => {
    for (const [i, { id }] of layer.entries()) places.set(id, (i + 0.5) / layer.length);
  };
  layers.forEach(note);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isForth = sweep % 2 === 0;
    const neighbours = isForth ? needs : neededBy;
    for (const layer of isForth ? layers : layers.toReversed()) {
      const middles = new Map(layer.map(({ id }) => [id, middleOf(neighbours.get(id), places) ?? places.get(id)!]));
      layer.sort((a, b) => middles.get(a.id)! - middles.get(b.id)!);
      note(layer);
    }
  }
}

function middleOf(ids: string[] = [], places: Map<string, number>): number | undefined {
  const known = ids.flatMap((id) => places.get(id) ?? []);
  return known.length > 0 ? known.reduce((sum, place) => sum + place, 0) / known.length : undefined;
}
