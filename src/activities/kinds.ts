import type { AnyTaskKind } from '../plan/kind.ts';
import { approve } from './approve.ts';
import { http } from './http.ts';
import { run } from './run.ts';
import { set } from './set.ts';
import { wait } from './wait.ts';

/** Every kind of task there is; a new one is its module and its name here. */
export const KINDS: readonly AnyTaskKind[] = [run, http, approve, wait, set];

/** Kinds of the format that this release refuses by name. */
export const NOT_YET = ['llm', 'input', 'checkpoint', 'map', 'plan'] as const;
