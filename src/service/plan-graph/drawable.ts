import { Fault } from '../../faults.ts';
import type { PlanGraph } from './graph.ts';

/** To place more would take minutes, and nobody could read it. */
const MOST_TASKS = 2_000;
/** The layout gives a line a place in every layer that it goes through: all lines of a drawing together have so many. */
const MOST_PLACES = 10_000;
/** Between two layers its time goes up with the square of the lines. */
const MOST_BESIDE = 3_000;

/** Throws USAGE when the layout of a drawing would take more than some seconds. */
export function mustBeDrawable(graph: PlanGraph): void {
  const { nodes } = graph;
  if (nodes.length > MOST_TASKS) refuse('tasks,', MOST_TASKS, nodes.length);
  const { places, beside } = linesOf(graph);
  if (beside > MOST_BESIDE) refuse('lines side by side,', MOST_BESIDE, beside);
  if (places > MOST_PLACES) refuse('lines, each counted in every layer that it goes through,', MOST_PLACES, places);
}

/** Every group is laid out by itself, and lines stay inside of one. */
function linesOf({ nodes, edges }: PlanGraph): { places: number; beside: number } {
  const at = new Map(nodes.map(({ id, layer, group = '' }) => [id, { layer, group }]));
  const changes = new Map<string, number[]>();
  let places = 0;
  for (const { from, to } of edges) {
    const [first, last] = [at.get(from)!, at.get(to)!];
    const of = changes.get(last.group) ?? [];
    changes.set(last.group, of);
    of[first.layer] = (of[first.layer] ?? 0) + 1;
    of[last.layer] = (of[last.layer] ?? 0) - 1;
    places += last.layer - first.layer;
  }
  return { places, beside: Math.max(0, ...[...changes.values()].map(widest)) };
}

function widest(changes: number[]): number {
  let [now, most] = [0, 0];
  for (const change of changes) {
    now += change ?? 0;
    most = Math.max(most, now);
  }
  return most;
}

function refuse(what: string, most: number, found: number): never {
  throw new Fault(
    'USAGE',
    `a drawing has at most ${most} ${what} and this plan has ${found}; take the format text, mermaid or json`,
  );
}
