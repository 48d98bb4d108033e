import type { JsonObject } from '../../plan/json.ts';
import { type Parsed, parseProgram } from '../../program/parse.ts';
import { type DryRun, dryRun } from '../dry-run.ts';
import { type ReadPlan, readPlanFile } from '../plan-file.ts';

/** What is to be done with a plan file, or with what came as a program. */
export type Work = 'read' | 'dryRun' | 'parse';

export interface Job<W extends Work = Work> {
  work: W;
  text: string;
  inputs?: JsonObject;
  /** Given for an earlier run. */
  kept?: JsonObject;
}

export interface Done {
  read: ReadPlan;
  dryRun: DryRun;
  parse: Parsed;
}

export function doJob<W extends Work>({ work, text, inputs = {}, kept = {} }: Job<W>): Done[W] {
  const plan = () => readPlanFile(text, { inputs, kept });
  const done: { [W in Work]: () => Done[W] } = {
    read: plan,
    dryRun: () => dryRun(plan()),
    parse: () => parseProgram(text),
  };
  return done[work]();
}
