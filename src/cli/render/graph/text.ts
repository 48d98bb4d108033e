import type { Colors } from 'picocolors/types.js';
import type { PlanGraph } from '../../../service/plan-graph/graph.ts';
import { count, oneLine } from '../text.ts';
import { drawGraph } from './drawing.ts';
import { listGraph } from './list.ts';
import { legend } from './marks.ts';

/** A drawing of more is longer than anybody looks at. */
const MOST_DRAWN = 30;

/** A plan for a terminal: drawn where that fits, else listed. */
export function graphLines(graph: PlanGraph, colours: Colors, columns: number): string[] {
  const drawing = graph.nodes.length <= MOST_DRAWN ? drawGraph(graph, colours) : undefined;
  const fits = drawing && drawing.width <= columns;
  return [
    `${colours.bold(oneLine(graph.name))}  ${count(graph.nodes.length, 'task')}`,
    '',
    ...(fits ? drawing.print() : listGraph(graph, colours)),
    ...legend(graph, colours),
  ];
}
