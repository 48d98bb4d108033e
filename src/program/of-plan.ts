import type { PlanDefinition } from '../plan/definition.ts';
import { upstreamFirst } from '../plan/upstream-first.ts';
import type { Compiled } from './compile.ts';

/**
 * A plan file that came in place of a program: its tasks are the nodes, by what decides what they do, so that the commit is the
 * same for files that differ in names of the plan, comments or the order of their words.
 */
export function ofPlan({ tasks }: PlanDefinition): Compiled {
  const order = upstreamFirst(tasks);
  const ids = new Map(order.map((task, n) => [task, `n${n + 1}`]));
  const needed = new Set(tasks.flatMap(({ needs }) => needs));
  const at = (task: number): string => ids.get(task)!;
  return {
    dag: {
      version: 1,
      nodes: order.map((task) => {
        const { kind, fingerprint } = tasks[task]!;
        return { id: at(task), op: 'task', kind, fingerprint };
      }),
      edges: order.flatMap((task) =>
        [...new Set(tasks[task]!.needs)]
          .sort((a, b) => order.indexOf(a) - order.indexOf(b))
          .map((need): [string, string] => [at(need), at(task)]),
      ),
      topological_order: order.map(at),
      returns: order.filter((task) => !needed.has(task)).map(at),
    },
    labels: Object.fromEntries(order.map((task) => [at(task), tasks[task]!.id])),
    unused: [],
  };
}
