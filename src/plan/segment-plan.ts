import type { PlanDefinition } from './definition.ts';
import { type Given, givenState, givenTask } from './given.ts';
import type { Plan } from './plan.ts';
import { initialState, type PlanState } from './state.ts';

/** The tasks that others read or need, as they ended. */
export const givenOf = ({ definition, state }: Plan, tasks: readonly number[]): Given[] =>
  tasks.map((i) => {
    const { id, kind } = definition.tasks[i]!;
    const { status, outputs } = state.tasks[i]!;
    return { id, kind, status, ...(outputs && { outputs }) };
  });

/** The plan that a segment runs: first the ended tasks that its own need or read, then its own. */
export function segmentPlan(
  plan: Plan,
  tasks: readonly number[],
  slots: number,
): { definition: PlanDefinition; carried: PlanState; given: number } {
  const { definition, state } = plan;
  const inside = new Set(tasks);
  const read = tasks.flatMap((i) => [...definition.tasks[i]!.needs, ...definition.tasks[i]!.uses]);
  const outside = [...new Set(read)].filter((i) => !inside.has(i));
  const place = new Map([...outside, ...tasks].map((i, k) => [i, k]));
  const placed = (list: readonly number[]) => list.map((i) => place.get(i)!);
  const given = givenOf(plan, outside);
  const { deadline_ms: _, concurrency: __, ...rest } = definition;
  const part: PlanDefinition = {
    ...rest,
    max_parallel: slots,
    tasks: [
      ...given.map(givenTask),
      ...tasks.map((i) => {
        const task = definition.tasks[i]!;
        return { ...task, needs: placed(task.needs), uses: placed(task.uses) };
      }),
    ],
  };
  const { run, generation, created_at, created_by, inline_bytes, updated_at } = state;
  const carried: PlanState = {
    ...initialState(part, { by: created_by, at: created_at }),
    run,
    generation,
    inline_bytes,
    updated_at,
    tasks: [...given.map(givenState), ...tasks.map((i) => state.tasks[i]!)],
  };
  return { definition: part, carried, given: given.length };
}
