import type { PlanDefinition } from '../plan/definition.ts';
import type { Compiled } from './compile.ts';

/** A plan file that came in place of a program: its tasks are the nodes, by what decides what they do. */
export function ofPlan(_definition: PlanDefinition): Compiled {
  throw new Error('not there yet');
}
