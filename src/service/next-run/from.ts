import { Fault } from '../../faults.ts';
import type { PlanDefinition } from '../../plan/definition.ts';
import { INSIDE, unknownTask } from '../task-names.ts';

/** Throws unless a run may begin again from this task. */
export function mustBeStart({ tasks }: PlanDefinition, from: string): void {
  const named = tasks.find(({ id }) => id === from);
  if (named?.handler)
    throw new Fault('REQUEST_INVALID', `from: ${from} runs when the plan ends; name a task of the plan itself`);
  if (named) return;
  const around = tasks.find(({ id, mode }) => from.startsWith(id) && INSIDE[from[id.length] ?? ''] === mode);
  if (around)
    throw new Fault(
      'REQUEST_INVALID',
      `from: ${from.slice(0, 200)} is inside ${around.id}, which can only run again whole: give from: ${around.id}`,
    );
  throw unknownTask(
    tasks.filter(({ handler }) => !handler),
    from,
  );
}
