import type { Scope } from './expression.ts';
import { iterationScope } from './iteration.ts';
import type { Json, JsonObject } from './json.ts';
import type { Plan } from './plan.ts';

/** What a task's expressions may read: the inputs and tasks that they name, and the item of a map. */
export function scopeFor(plan: Plan, i: number): Scope {
  const { definition, state, items } = plan;
  const task = definition.tasks[i]!;
  const tasks: Scope['tasks'] = {};
  for (const j of task.uses) {
    const at = state.tasks[j]!;
    tasks[definition.tasks[j]!.id] = { status: at.status, outputs: at.outputs ?? {} };
  }
  return {
    inputs: pick(plan.inputs, task.inputs),
    tasks,
    plan: {
      id: plan.plan_id,
      name: definition.name,
      run: state.run,
      ...(task.handler && { status: state.closing?.verdict ?? 'failed', error: state.error?.message ?? '' }),
    },
    ...iterationScope(definition, plan.inputs),
    ...(items && { [items.as]: items.values[i - items.first]!, index: items.from + i - items.first }),
  };
}

export const pick = (values: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (Object.hasOwn(values, name) ? [[name, values[name]!]] : [])));

/** Whether the workflow has only a reference to something that the task's expressions read; an activity then computes them. */
export const readsStored = (plan: Plan, i: number): boolean => holdsStored(scopeFor(plan, i) as unknown as Json);

export function holdsStored(value: Json | undefined): boolean {
  if (value === null || typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.some(holdsStored);
  return '$stored' in value || Object.values(value).some(holdsStored);
}

export function attempt<T>(work: () => T): { ok: T } | { error: string } {
  try {
    return { ok: work() };
  } catch (thrown) {
    return { error: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}
