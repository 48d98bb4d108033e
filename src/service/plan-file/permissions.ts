import { KINDS } from '../../activities/kinds.ts';
import type { MapWords, PlanDefinition, SubPlanWords, TaskDefinition } from '../../plan/definition.ts';
import type { AnyTaskKind } from '../../plan/kind.ts';

/** Permissions, besides the one for starting plans, that the kinds of its tasks ask for: handlers, items of maps and sub-plans too. */
export function permissionsOf({ tasks }: PlanDefinition, kinds: readonly AnyTaskKind[] = KINDS): string[] {
  const asked = tasks.flatMap(everyTask).flatMap(({ kind }) => kinds.find(({ key }) => key === kind)?.permission ?? []);
  return [...new Set(asked)];
}

function everyTask(task: TaskDefinition): TaskDefinition[] {
  if (task.mode === 'map') return [task, ...everyTask((task.with as unknown as MapWords).task)];
  if (task.mode === 'plan')
    return [task, ...(task.with as unknown as SubPlanWords).definition.tasks.flatMap(everyTask)];
  return [task];
}
