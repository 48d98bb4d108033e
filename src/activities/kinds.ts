import type { AnyTaskKind } from '../plan/kind.ts';
import { approve } from './approve.ts';
import { checkpointKind } from './checkpoint.ts';
import { claude } from './claude.ts';
import { http } from './http.ts';
import { inputKind } from './input.ts';
import { iterations } from './iterations.ts';
import { llm } from './llm.ts';
import { map } from './map.ts';
import { read } from './program/read.ts';
import { rows } from './program/rows.ts';
import { run } from './run.ts';
import { set } from './set.ts';
import { shell } from './shell.ts';
import { subPlan } from './sub-plan.ts';
import { wait } from './wait.ts';

/** Every kind of task that a plan file may name; a new one is its module and its name here. */
export const KINDS: readonly AnyTaskKind[] = [
  run,
  http,
  llm,
  approve,
  inputKind,
  checkpointKind,
  wait,
  set,
  map,
  subPlan,
];

/** Kinds that only workflow files make; they are no words of plan files. */
export const STEP_KINDS: readonly AnyTaskKind[] = [shell, claude, iterations];

/** Kinds that only programs make: the nodes of their DAGs. */
export const PROGRAM_KINDS: readonly AnyTaskKind[] = [read, rows];
