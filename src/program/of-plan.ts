import type { PlanDefinition } from '../plan/definition.ts';
import { upstreamFirst } from '../plan/upstream-first.ts';
import type { Compiled } from './compile.ts';

/**
 * A plan file that came in place of a program: its tasks are the nodes, by what decides what they do. The commit is the same for
 * files that differ in the plan's name, in comments, or in the order of their words and tasks.
 */
export function ofPlan({ tasks }: PlanDefinition): Compiled {
  const byId = tasks.map((_, i) => i).sort((a, b) => (tasks[a]!.id < tasks[b]!.id ? -1 : 1));
  const place = new Map(byId.map((task, i) => [task, i]));
  const sorted = byId.map((task) => ({ ...tasks[task]!, needs: tasks[task]!.needs.map((need) => place.get(need)!) }));
  const order = upstreamFirst(sorted);
  const rank = new Map(order.map((task, i) => [task, i]));
  const idOf = (task: number): string => `n${rank.get(task)! + 1}`;
  const needed = new Set(sorted.flatMap(({ needs }) => needs));
  return {
    dag: {
      version: 1,
      nodes: order.map((task) => {
        const { kind, fingerprint } = sorted[task]!;
        return { id: idOf(task), op: 'task', kind, fingerprint };
      }),
      edges: order.flatMap((task) => {
        const needs = [...new Set(sorted[task]!.needs)].sort((a, b) => rank.get(a)! - rank.get(b)!);
        return needs.map((need): [string, string] => [idOf(need), idOf(task)]);
      }),
      topological_order: order.map(idOf),
      returns: order.filter((task) => !needed.has(task)).map(idOf),
    },
    labels: Object.fromEntries(order.map((task) => [idOf(task), sorted[task]!.id])),
    places: {},
    unused: [],
  };
}
