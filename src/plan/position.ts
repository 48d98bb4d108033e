import type { MapWords, SubPlanWords, TaskDefinition } from './definition.ts';
import { type Plan, taskAt } from './plan.ts';
import { isDone } from './progress.ts';

/** Which step is next or under way, from 1; of a plan that works through inputs one by one, also for which of them. */
export interface Position {
  step: number;
  steps: number;
  iteration?: number;
  iterations?: number;
}

/** Where a plan is: the first of its tasks, in the order of the file, that is not done. */
export function positionOf(plan: Plan): Position {
  const { definition, given, items, state } = plan;
  const main = definition.tasks.flatMap((task, i) => (task.handler || i < given ? [] : [i]));
  const done = main.findIndex((i) => !isDone(state.tasks[i]!.status, definition.tasks[i]!.on_failure));
  const place = done === -1 ? main.length - 1 : done;
  const i = main[place];
  const own = { step: place + 1, steps: main.length };
  if (i === undefined) return own;
  if (items) return { ...withinTask(plan, i), iteration: items.from + i - items.first + 1 };
  const { task, at } = taskAt(plan, i);
  return isSequence(task) && at.map ? { ...withinMap(plan, i), iterations: at.map.total } : own;
}

/** A map that does one item after another. */
const isSequence = ({ mode, with: words }: TaskDefinition): boolean =>
  mode === 'map' && (words as unknown as MapWords).max_parallel === 1;

function withinTask(plan: Plan, i: number): Position {
  const { task, at } = taskAt(plan, i);
  if (task.mode !== 'plan') return { step: 1, steps: 1 };
  const { tasks } = (task.with as unknown as SubPlanWords).definition;
  const begin = { step: 1, steps: tasks.filter(({ handler }) => !handler).length };
  return toldBy(plan, i) ?? at.position ?? begin;
}

function withinMap(plan: Plan, i: number): Position {
  const { task, at } = taskAt(plan, i);
  const { pieces, batches, total } = at.map!;
  const told = toldBy(plan, i);
  if (told) return told;
  const next = batches.findIndex((left) => !left || left.incomplete || left.fatal);
  const { position, succeeded = 0 } = batches[next] ?? {};
  const inner = (task.with as unknown as MapWords).task;
  const steps = inner.mode === 'plan' ? (inner.with as unknown as SubPlanWords).definition.tasks.length : 1;
  const iteration = next === -1 ? total : pieces[next]!.from + succeeded + 1;
  return position ?? { step: next === -1 ? steps : 1, steps, iteration };
}

/** What the child that is at work for this task has told of it. */
function toldBy({ index }: Plan, i: number): Position | undefined {
  for (const { what, told } of index.children.values())
    if (what.kind !== 'segment' && what.task === i && told?.position) return told.position;
  return undefined;
}
