import type { TaskView } from '../../plan/view.ts';
import type { PlanGraph } from './graph.ts';

/** The same graph with where each of its tasks stands; what the view does not name has no status. */
export function atWork(graph: PlanGraph, tasks: readonly Pick<TaskView, 'id' | 'status' | 'items'>[]): PlanGraph {
  const views = new Map(tasks.map((task) => [task.id, task]));
  return {
    ...graph,
    nodes: graph.nodes.map((node) => {
      const { status, items } = views.get(node.id) ?? {};
      return { ...node, ...(status && { status }), ...(items && { items }) };
    }),
  };
}
