import type { Colors } from 'picocolors/types.js';
import { type GraphNode, kindInWords, layersIn, type PlanGraph } from '../../../service/plan-graph/graph.ts';
import { coloured } from '../colours.ts';
import { renderTable } from '../table.ts';
import { oneLine } from '../text.ts';
import { MARKS } from './marks.ts';

const MOST_NEEDS = 5;

/** A plan as a list by layers: what has the same number can run at the same time. What is inside of a task stands below it. */
export function listGraph(graph: PlanGraph, colours: Colors): string[] {
  const handlers = graph.groups.filter(({ kind }) => kind === 'handler');
  const rows = [
    ...rowsOf(graph, undefined, '', colours),
    ...handlers.flatMap(({ id, label }) => [['', label, '', ''], ...rowsOf(graph, id, '', colours)]),
  ];
  return renderTable(['LAYER', 'TASK', 'KIND', 'AFTER'], rows);
}

function rowsOf(graph: PlanGraph, group: string | undefined, indent: string, colours: Colors): string[][] {
  return layersIn(graph, group).flatMap((layer, k) =>
    layer.flatMap((node, i) => [
      [i === 0 ? `${indent}${k + 1}` : '', `${indent}${nameOf(node, colours)}`, kindOf(node), afterOf(graph, node)],
      ...(node.mode === 'plan' || node.mode === 'map' ? rowsOf(graph, node.id, `${indent}  `, colours) : []),
    ]),
  );
}

const nameOf = ({ label, status }: GraphNode, colours: Colors): string =>
  status ? coloured(status, colours, `${MARKS[status]} ${label}`) : label;

const kindOf = (node: GraphNode): string => {
  const { items } = node;
  return `${kindInWords(node)}${items ? ` ${items.succeeded}/${items.total}` : ''}`;
};

function afterOf({ groups }: PlanGraph, { needs, group, if: condition }: GraphNode): string {
  const path = groups.find(({ id, kind }) => id === group && kind !== 'handler');
  const inside = path ? path.id.length + (path.kind === 'map' ? 3 : 1) : 0;
  const names = needs.slice(0, MOST_NEEDS).map((need) => need.slice(inside));
  const more = needs.length > MOST_NEEDS ? [`${needs.length - MOST_NEEDS} more`] : [];
  return [[...names, ...more].join(', '), condition === undefined ? '' : `if ${oneLine(condition, 60)}`]
    .filter(Boolean)
    .join('; ');
}
