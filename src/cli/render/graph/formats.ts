import pc from 'picocolors';
import type { PlanGraph } from '../../../service/plan-graph/graph.ts';
import type { Cli } from '../../cli.ts';

export const GRAPH_FORMATS = ['text', 'mermaid', 'svg', 'json'] as const;
export type GraphFormat = (typeof GRAPH_FORMATS)[number];

/** Of a file and of a pipe. */
const COLUMNS = 120;

/** Each is loaded when it is asked for. `cli`: what the text is made for; without it, for a file. */
const FORMATS: Record<GraphFormat, (graph: PlanGraph, cli: Pick<Cli, 'out'> | undefined) => Promise<string>> = {
  async text(graph, cli) {
    const { graphLines } = await import('./text.ts');
    const { colours, columns = COLUMNS } = cli?.out ?? { colours: pc.createColors(false) };
    return `${graphLines(graph, colours, columns).join('\n')}\n`;
  },
  mermaid: async (graph) => (await import('../../../service/plan-graph/mermaid.ts')).mermaidOf(graph),
  svg: async (graph) => (await import('../../../service/plan-graph/svg.ts')).svgOf(graph),
  json: async (graph) => `${JSON.stringify(graph, null, 2)}\n`,
};

export const formatGraph = (
  graph: PlanGraph,
  format: GraphFormat,
  cli: Pick<Cli, 'out'> | undefined,
): Promise<string> => FORMATS[format](graph, cli);
