import type { TaskMode } from '../../plan/definition.ts';
import { type GraphNode, kindInWords, layersIn, type PlanGraph } from './graph.ts';

/** What stands around the label of a node. */
const SHAPES: Record<Exclude<TaskMode, 'plan'>, [string, string]> = {
  activity: ['["', '"]'],
  question: ['{{"', '"}}'],
  clock: ['(["', '"])'],
  value: ['("', '")'],
  map: ['[["', '"]]'],
};

/** Fills that text stays readable on, in the light and in the dark theme: the colour of the text is said with each. */
const CLASSES: Record<string, string> = {
  question: 'fill:#fef3c7,stroke:#b45309,color:#451a03,stroke-width:2px',
  pending: 'fill:#f1f5f9,stroke:#94a3b8,color:#334155',
  running: 'fill:#dbeafe,stroke:#2563eb,color:#172554,stroke-width:2px',
  waiting: 'fill:#ede9fe,stroke:#7c3aed,color:#2e1065,stroke-width:2px',
  backing_off: 'fill:#ffedd5,stroke:#ea580c,color:#431407',
  succeeded: 'fill:#dcfce7,stroke:#16a34a,color:#052e16',
  failed: 'fill:#fee2e2,stroke:#dc2626,color:#450a0a,stroke-width:2px',
  skipped: 'fill:#f8fafc,stroke:#94a3b8,color:#475569,stroke-dasharray:4 3',
  cancelled: 'fill:#f5f5f4,stroke:#78716c,color:#292524',
};

/** The graph as a Mermaid flowchart. Nodes are called by numbers: ids such as `end` mean something in Mermaid. */
export function mermaidOf(graph: PlanGraph): string {
  const names = new Map(graph.nodes.map(({ id }, i) => [id, `t${i}`]));
  const handlers = graph.groups.filter(({ kind }) => kind === 'handler');
  const used = new Set(graph.nodes.flatMap((node) => classOf(node) ?? []));
  return [
    '---',
    `title: ${JSON.stringify(graph.name)}`,
    '---',
    'flowchart TD',
    ...levelLines(graph, undefined, names, '  '),
    ...handlers.flatMap(({ id, label }, i) => [
      `  subgraph h${i}["${escaped(label)}"]`,
      ...levelLines(graph, id, names, '    '),
      '  end',
      `  style h${i} stroke-dasharray:5 4`,
    ]),
    ...graph.edges.map(({ from, to }) => `  ${names.get(from)} --> ${names.get(to)}`),
    ...[...used].map((name) => `  classDef ${name} ${CLASSES[name]}`),
    '',
  ].join('\n');
}

function levelLines(graph: PlanGraph, group: string | undefined, names: Map<string, string>, indent: string): string[] {
  return layersIn(graph, group)
    .flat()
    .flatMap((node) => {
      const name = names.get(node.id)!;
      const marked = classOf(node);
      if (!graph.groups.some(({ id }) => id === node.id))
        return [`${indent}${name}${shaped(node)}${marked ? `:::${marked}` : ''}`];
      return [
        `${indent}subgraph ${name}["${labelOf(node)}"]`,
        ...levelLines(graph, node.id, names, `${indent}  `),
        `${indent}end`,
        ...(marked ? [`${indent}class ${name} ${marked}`] : []),
      ];
    });
}

const classOf = ({ status, mode }: GraphNode): string | undefined =>
  status ?? (mode === 'question' ? 'question' : undefined);

function shaped(node: GraphNode): string {
  const [before, after] = SHAPES[node.mode as keyof typeof SHAPES] ?? SHAPES.activity;
  return `${before}${labelOf(node)}${after}`;
}

function labelOf(node: GraphNode): string {
  const { label, status, items } = node;
  const stands = [status?.replace('_', ' '), items && `${items.succeeded}/${items.total}`].filter(Boolean).join(' ');
  const condition = node.if === undefined ? [] : [`if ${shortened(node.if)}`];
  return [label, kindInWords(node) + (stands ? `: ${stands}` : ''), ...condition].map(escaped).join('<br>');
}

const LONGEST = 60;
const shortened = (text: string): string => {
  const flat = text.replace(/\s+/g, ' ');
  return flat.length > LONGEST ? `${[...flat].slice(0, LONGEST).join('')}…` : flat;
};

/** As entities, whatever could end a label or be read as Markdown or HTML in it. */
const escaped = (text: string): string =>
  text.replace(/[^\p{L}\p{M}\p{N} _.,:;=+/()[\]'?!…-]/gu, (character) => `#${character.codePointAt(0)};`);
