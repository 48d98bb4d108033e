import type { Colors } from 'picocolors/types.js';
import { type GraphNode, kindInWords, layersIn, type PlanGraph } from '../../../service/plan-graph/graph.ts';
import { layOut } from '../../../service/plan-graph/layout.ts';
import { boxOf, frameOf } from './boxes.ts';
import { Canvas, DOWN, UP } from './canvas.ts';
import { channelHeight, drawChannel, type Net } from './channel.ts';

/** Columns between boxes, and between a line and what it passes. */
const GAPS = { between: 3, layers: 2, lines: 2 };

/** A plan as boxes with arrows between them, from top to bottom; sub-plans and handlers are frames around their own. */
export function drawGraph(graph: PlanGraph, colours: Colors): Canvas {
  const whole = drawLevel(graph, undefined, colours);
  for (const { id, kind, label } of graph.groups) {
    if (kind !== 'handler') continue;
    const handlers = frameOf(drawLevel(graph, id, colours), label, 'handler', colours);
    whole.place(0, whole.height + 1, handlers);
  }
  return whole;
}

/** The tasks of one group. */
function drawLevel(graph: PlanGraph, group: string | undefined, colours: Colors): Canvas {
  const layers = layersIn(graph, group);
  const nodes = layers.flat();
  const drawn = new Map(nodes.map((node) => [node.id, drawNode(graph, node, colours)]));
  const places = placesOf(nodes, drawn);
  const starting = new Set(nodes.flatMap(({ needs }) => needs));
  const canvas = new Canvas();
  let y = 0;
  for (const [k, row] of layers.entries()) {
    const height = Math.max(...row.map(({ id }) => drawn.get(id)!.height));
    for (const { id } of row) {
      const box = drawn.get(id)!;
      canvas.place(places.left.get(id)!, y, box);
      if (!starting.has(id)) continue;
      const column = places.port.get(id)!;
      canvas.text(column, y + box.height - 1, '┬');
      for (let below = y + box.height; below < y + height; below++) canvas.line(column, below, UP | DOWN, id);
    }
    for (const { net, column } of places.passing[k] ?? [])
      for (let beside = y; beside < y + height; beside++) canvas.line(column, beside, UP | DOWN, net);
    const nets = places.nets[k] ?? [];
    drawChannel(canvas, nets, y + height);
    y += height + channelHeight(nets);
  }
  return canvas;
}

function drawNode(graph: PlanGraph, node: GraphNode, colours: Colors): Canvas {
  const group = graph.groups.find(({ id, kind }) => id === node.id && kind !== 'handler');
  if (!group) return boxOf(node, colours);
  const title = `${node.label}  ${kindInWords(node)}`;
  return frameOf(drawLevel(graph, group.id, colours), title, 'group', colours, node.status);
}

interface Places {
  left: Map<string, number>;
  /** The column in which lines begin and end. */
  port: Map<string, number>;
  /** By layer, the lines that go past its boxes. */
  passing: { net: string; column: number }[][];
  /** By layer, the lines that leave it downwards. */
  nets: Net[][];
}

function placesOf(nodes: GraphNode[], drawn: Map<string, Canvas>): Places {
  const widthOf = (id: string) => drawn.get(id)!.width;
  const layout = layOut(nodes, (id) => ({ width: widthOf(id), height: 1 }), GAPS);
  const left = new Map(layout.boxes.map(({ id, x, width }) => [id, Math.round(x - width / 2)]));
  const port = new Map(nodes.map(({ id }) => [id, left.get(id)! + Math.floor(widthOf(id) / 2)]));
  const layerOf = new Map(nodes.map(({ id, layer }) => [id, layer]));
  const passing: Places['passing'] = [];
  const nets: Map<string, Net>[] = [];
  for (const { from, to, past } of layout.edges) {
    const first = layerOf.get(from)!;
    let column = port.get(from)!;
    for (let layer = first; layer <= first + past.length; layer++) {
      const next = layer + 1;
      const arrow = next > first + past.length;
      const below = arrow ? port.get(to)! : Math.floor(past[layer - first]!);
      nets[layer] ??= new Map();
      const id = `${from} ${column}`;
      const net = nets[layer]!.get(id) ?? { id, from: column, to: [] };
      nets[layer]!.set(id, { ...net, to: [...net.to, { column: below, arrow }] });
      passing[next] ??= [];
      if (!arrow) passing[next].push({ net: `${from} ${below}`, column: below });
      column = below;
    }
  }
  return { left, port, passing, nets: Array.from(nets, (layer) => [...(layer?.values() ?? [])]) };
}
