import {
  conditionShown,
  type MapWords,
  type PlanDefinition,
  type SubPlanWords,
  type TaskDefinition,
} from '../../plan/definition.ts';
import { evaluate, renderDeep, type Scope } from '../../plan/expression.ts';
import type { Json, JsonObject } from '../../plan/json.ts';
import { attempt, pick } from '../../plan/scope.ts';
import { layersOf } from '../plan-graph/graph.ts';

/** What is known of a task before its plan runs. */
export interface Foreseen {
  id: string;
  /** What ids around it begin with, and the plan or sub-plan that it is a task of. */
  path: string;
  around: PlanDefinition;
  task: TaskDefinition;
  /** Whether there is one for every item of a map. */
  per_item: boolean;
  /** Why it would not run. */
  skipped?: string;
  /** Its condition, where that is not known yet. */
  when?: string;
  /** Why its condition would make it fail. */
  wrong?: string;
  /** Of a map. */
  each?: { kind: string; items: number | null };
  /** Of a question: its words, as far as their expressions are known. */
  words?: JsonObject;
}

/** Where tasks stand: what ids begin with, and which inputs are known by now. */
interface Place {
  path: string;
  inputs: JsonObject;
  per_item: boolean;
  /** On the clock of `performance`: expressions are computed until then, and are not known after it. */
  until: number;
}

/** Whoever asks waits for the answer, and everybody else with them. */
const LONGEST_MS = 1_000;

/** Every task of a plan and of the sub-plans that would run, in the order of the file. */
export function foresee(definition: PlanDefinition, inputs: JsonObject): Foreseen[] {
  return foreseeTasks(definition, { path: '', inputs, per_item: false, until: performance.now() + LONGEST_MS });
}

function foreseeTasks(definition: PlanDefinition, place: Place): Foreseen[] {
  const { tasks } = definition;
  const layers = layersOf(tasks);
  const order = tasks.map((_, i) => i).sort((a, b) => layers[a]! - layers[b]!);
  const found: Foreseen[] = [];
  for (const i of order) found[i] = foreseeTask(definition, i, place, (j) => found[j]);
  return found.flatMap((one) => [one, ...(one.skipped === undefined ? inside(one, place) : [])]);
}

function foreseeTask(
  around: PlanDefinition,
  i: number,
  { path, inputs, per_item, until }: Place,
  at: (j: number) => Foreseen | undefined,
): Foreseen {
  const task = around.tasks[i]!;
  const one = { id: path + task.id, path, around, task, per_item };
  const condition = conditionShown(task);
  const need = task.needs.map(at).find((other) => other?.skipped !== undefined);
  const because = need && `${need.task.id} was skipped`;
  if (performance.now() > until)
    return {
      ...one,
      ...(condition !== undefined && { when: condition }),
      ...(because !== undefined && { skipped: because }),
    };
  const scope = knownScope(task, inputs, at);
  const about = { ...one, ...eachOf(task, scope), ...wordsOf(task, scope) };
  if (task.if === undefined) return { ...about, ...(because !== undefined && { skipped: because }) };
  const value = attempt(() => evaluate(task.if!, scope));
  if ('ok' in value && value.ok === true) return about;
  if ('ok' in value && value.ok === false)
    return { ...about, skipped: `its condition is false: ${condition ?? task.if}` };
  if ('error' in value && (around.as !== undefined || !isWhole(scope, task)))
    return { ...about, ...(condition !== undefined && { when: condition }) };
  if ('error' in value && because !== undefined) return { ...about, skipped: because };
  const wrong =
    'error' in value ? value.error : `${task.if} is ${JSON.stringify(value.ok).slice(0, 100)}, not true or false`;
  return { ...about, wrong };
}

/**
 * What is known of what a task's expressions read. What is not known wholly is left out of the scope: an expression that
 * reads it then cannot be computed, unless its value is the same whatever comes, as that of `inputs.force || tasks.…`.
 */
function knownScope(task: TaskDefinition, inputs: JsonObject, at: (j: number) => Foreseen | undefined): Scope {
  const others = task.uses.map(at);
  const known = others.every((other) => other?.skipped !== undefined);
  const tasks = Object.fromEntries(others.map((other) => [other?.task.id ?? '', { status: 'skipped', outputs: {} }]));
  return {
    ...(task.inputs.every((name) => Object.hasOwn(inputs, name)) && { inputs: pick(inputs, task.inputs) }),
    ...(known && { tasks }),
  } as Scope;
}

/** Whether all that the condition reads is known: then what fails here would fail when it runs. */
const isWhole = (scope: Scope, task: TaskDefinition): boolean =>
  'inputs' in scope && 'tasks' in scope && !/\bplan\b/.test(task.if!);

function eachOf(task: TaskDefinition, scope: Scope): Pick<Foreseen, 'each'> {
  if (task.mode !== 'map') return {};
  const { in: list, task: item, iterate } = task.with as unknown as MapWords;
  const value: Json | undefined = typeof list === 'string' ? known(() => evaluate(list, scope)) : list;
  return {
    each: {
      kind: item.kind,
      items: Array.isArray(value) ? Math.min(value.length, iterate?.max ?? Number.POSITIVE_INFINITY) : null,
    },
  };
}

function wordsOf(task: TaskDefinition, scope: Scope): Pick<Foreseen, 'words'> {
  if (task.mode !== 'question') return {};
  return { words: (known(() => renderDeep(task.with, scope)) ?? task.with) as JsonObject };
}

function known<T>(work: () => T): T | undefined {
  const value = attempt(work);
  return 'ok' in value ? value.ok : undefined;
}

/** The tasks inside of a task that would run, when it is a sub-plan or has one for every item. */
function inside({ id, task, per_item }: Foreseen, place: Place): Foreseen[] {
  if (task.mode === 'map') {
    const item = (task.with as unknown as MapWords).task;
    return item.mode === 'plan' ? subPlan(item, { ...place, path: `${id}[]/`, per_item: true }) : [];
  }
  return task.mode === 'plan' ? subPlan(task, { ...place, path: `${id}/`, per_item }) : [];
}

/** A sub-plan knows of the inputs what can be computed of them. */
function subPlan(task: TaskDefinition, place: Place): Foreseen[] {
  const { definition, inputs } = task.with as unknown as SubPlanWords;
  const scope = knownScope(task, place.inputs, () => undefined);
  const given = Object.entries(inputs).flatMap(([name, value]) => {
    const found = known(() => renderDeep(value, scope));
    return found === undefined ? [] : [[name, found] as const];
  });
  return foreseeTasks(definition, { ...place, inputs: Object.fromEntries(given) });
}
