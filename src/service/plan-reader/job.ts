import type { JsonObject } from '../../plan/json.ts';
import { type DryRun, dryRun } from '../dry-run.ts';
import { type ReadPlan, readPlanFile } from '../plan-file.ts';

/** What is to be done with a plan file. */
export type Work = 'read' | 'dryRun';

export interface Job<W extends Work = Work> {
  work: W;
  text: string;
  inputs: JsonObject;
  /** Given for an earlier run. */
  kept?: JsonObject;
}

export interface Done {
  read: ReadPlan;
  dryRun: DryRun;
}

export function doJob<W extends Work>({ work, text, inputs, kept = {} }: Job<W>): Done[W] {
  const plan = readPlanFile(text, { inputs, kept });
  const done: { [W in Work]: () => Done[W] } = { read: () => plan, dryRun: () => dryRun(plan) };
  return done[work]();
}
