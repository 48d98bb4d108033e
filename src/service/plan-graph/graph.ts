import {
  conditionShown,
  HANDLERS,
  type Handler,
  type MapWords,
  type PlanDefinition,
  type SubPlanWords,
  type TaskDefinition,
  type TaskMode,
} from '../../plan/definition.ts';
import type { TaskStatus } from '../../plan/state.ts';

/** A plan as nodes and edges, from which every drawing of it is made. What is inside of something names it as its `group`. */
export interface PlanGraph {
  name: string;
  nodes: GraphNode[];
  edges: GraphEdge[];
  groups: GraphGroup[];
}

export interface GraphNode {
  /** As views call it: `build/push` is in the sub-plan `build`, `each[]/push` in that of every item of `each`. */
  id: string;
  /** What it is called inside its group. */
  label: string;
  kind: string;
  mode: TaskMode;
  /** Ids. */
  needs: string[];
  /** How many tasks of its group have to end before it, one after another. */
  layer: number;
  group?: string;
  handler?: Handler;
  if?: string;
  /** Of a map: what runs for each item of its list, which is an expression or has that many. */
  each?: { kind: string; in: string | number; max_parallel: number };
  /** Of a plan that runs. */
  status?: TaskStatus;
  /** Of a map at work or ended, how many of its items have succeeded. */
  items?: { total: number; succeeded: number; failed: number; skipped: number };
}

export interface GraphEdge {
  from: string;
  to: string;
}

/** A sub-plan, or that of every item of a map, has the id of its task; handlers have a group for each ending. */
export interface GraphGroup {
  id: string;
  kind: 'plan' | 'map' | 'handler';
  label: string;
  /** The group that it is in. */
  group?: string;
}

export const HANDLER_TITLES: Record<Handler, string> = {
  on_failure: 'when the plan has failed',
  on_success: 'when the plan has completed',
  finally: 'in any case',
};

export function planGraph(definition: PlanDefinition): PlanGraph {
  const graph: PlanGraph = { name: definition.name, nodes: [], edges: [], groups: [] };
  addTasks(graph, definition.tasks, '', undefined);
  const present = new Set(definition.tasks.map(({ handler }) => handler));
  for (const handler of HANDLERS)
    if (present.has(handler))
      graph.groups.push({ id: handlerGroup(handler), kind: 'handler', label: HANDLER_TITLES[handler] });
  return graph;
}

/** No task can be called so. */
const handlerGroup = (handler: Handler): string => `:${handler}`;

function addTasks(graph: PlanGraph, tasks: TaskDefinition[], path: string, around: string | undefined): void {
  const layers = layersOf(tasks);
  for (const [i, task] of tasks.entries()) {
    const id = path + task.id;
    const group = task.handler ? handlerGroup(task.handler) : around;
    const needs = task.needs.map((need) => path + tasks[need]!.id);
    const condition = conditionShown(task);
    graph.nodes.push({
      id,
      label: task.id,
      kind: task.kind,
      mode: task.mode,
      needs,
      layer: layers[i]!,
      ...(group !== undefined && { group }),
      ...(task.handler && { handler: task.handler }),
      ...(condition !== undefined && { if: condition }),
      ...(task.mode === 'map' && { each: eachOf(task.with as unknown as MapWords) }),
    });
    for (const from of needs) graph.edges.push({ from, to: id });
    addInside(graph, task, id, group);
  }
}

const eachOf = ({ in: list, max_parallel, task }: MapWords): GraphNode['each'] => ({
  kind: task.kind,
  in: Array.isArray(list) ? list.length : String(list),
  max_parallel,
});

/** The tasks of a sub-plan, which may be that of a map's items. */
function addInside(graph: PlanGraph, task: TaskDefinition, id: string, around: string | undefined): void {
  const kind = task.mode === 'map' ? 'map' : 'plan';
  const inner = kind === 'map' ? (task.with as unknown as MapWords).task : task;
  if (inner.mode !== 'plan') return;
  graph.groups.push({ id, kind, label: task.id, ...(around !== undefined && { group: around }) });
  addTasks(graph, (inner.with as unknown as SubPlanWords).definition.tasks, `${id}${kind === 'map' ? '[]' : ''}/`, id);
}

/** For each task, the length of the longest way to it. Needs may stand before or after; there is no cycle among them. */
export function layersOf(tasks: readonly Pick<TaskDefinition, 'needs'>[]): number[] {
  const unmet = tasks.map(({ needs }) => needs.length);
  const dependents: number[][] = tasks.map(() => []);
  for (const [i, { needs }] of tasks.entries()) for (const need of needs) dependents[need]!.push(i);
  const layers = tasks.map(() => 0);
  const free = tasks.flatMap((_, i) => (unmet[i] === 0 ? [i] : []));
  for (const task of free)
    for (const next of dependents[task]!) {
      layers[next] = Math.max(layers[next]!, layers[task]! + 1);
      unmet[next]! -= 1;
      if (unmet[next] === 0) free.push(next);
    }
  return layers;
}

/** Nodes as they stand in a group, or in the plan itself, by their layers. */
export function layersIn({ nodes }: PlanGraph, group?: string): GraphNode[][] {
  const layers: GraphNode[][] = [];
  for (const node of nodes) {
    if (node.group !== group) continue;
    layers[node.layer] ??= [];
    layers[node.layer]!.push(node);
  }
  return layers;
}

/** What a task does, in words: its kind, and of a map what it does for each item. */
export const kindInWords = ({ kind, each }: Pick<GraphNode, 'kind' | 'each'>): string =>
  each ? `${each.kind} for each ${typeof each.in === 'number' ? `of ${each.in} items` : 'item'}` : kind;
