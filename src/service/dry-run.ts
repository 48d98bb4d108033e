import type { JsonObject } from '../plan/json.ts';
import { type Foreseen, foresee } from './dry-run/foresee.ts';
import { type Longest, longestOf } from './dry-run/longest.ts';
import { type AskedLater, questionsOf } from './dry-run/questions.ts';
import { warningsOf } from './dry-run/warnings.ts';
import type { ReadPlan } from './plan-file.ts';
import { layersOf } from './plan-graph/graph.ts';

/** What a plan would do, as far as its file and its inputs tell. */
export interface DryRun {
  valid: true;
  name: string;
  /** Ids of the plan's own tasks and handlers, in the order of the file. */
  tasks: string[];
  /** As given, with the defaults. */
  inputs: JsonObject;
  /** With those in sub-plans, which are called `build/push`, or `each[]/push` where there is one for every item. */
  would_run: WouldRun[];
  would_skip: { id: string; reason: string }[];
  /** The plan's own tasks that would run: those of the first start at once, each other when what it needs has ended. */
  layers: string[][];
  /** What its creator has to be allowed. */
  permissions: string[];
  questions: AskedLater[];
  longest: Longest;
  warnings: string[];
}

export interface WouldRun {
  id: string;
  kind: string;
  needs: string[];
  /** The condition, where it is known only when the plan runs. */
  when?: string;
  /** Of a map: what runs for every item, and how many there are, when that is known. */
  for_each?: { kind: string; items: number | null };
  handler?: string;
  max_attempts?: number;
  timeout_ms?: number;
}

/** Tells what a plan would do, and starts nothing. Conditions on inputs alone are decided here, by the rules of the run. */
export function dryRun({ definition, inputs, permissions, review }: ReadPlan, now = Date.now()): DryRun {
  const all = foresee(definition, inputs);
  const running = all.filter(({ skipped }) => skipped === undefined);
  return {
    valid: true,
    name: definition.name,
    tasks: definition.tasks.map(({ id }) => id),
    inputs,
    would_run: running.map(wouldRun),
    would_skip: all.flatMap(({ id, skipped }) => (skipped === undefined ? [] : [{ id, reason: skipped }])),
    layers: runningLayers(all, definition),
    permissions: ['plan:create', ...permissions],
    questions: questionsOf(running, review),
    longest: longestOf(definition, all, now),
    warnings: warningsOf(definition, all, inputs, now),
  };
}

function wouldRun({ id, path, around, task, when, each }: Foreseen): WouldRun {
  const { kind, needs, handler, retry, timeout_ms } = task;
  return {
    id,
    kind,
    needs: needs.map((need) => path + around.tasks[need]!.id),
    ...(when !== undefined && { when }),
    ...(each && { for_each: each }),
    ...(handler && { handler }),
    ...(retry.max_attempts > 1 && { max_attempts: retry.max_attempts }),
    ...(timeout_ms !== undefined && { timeout_ms }),
  };
}

function runningLayers(all: Foreseen[], { tasks }: ReadPlan['definition']): string[][] {
  const skipped = new Set(all.flatMap((one) => (one.path === '' && one.skipped !== undefined ? [one.id] : [])));
  const layers: string[][] = [];
  for (const [i, layer] of layersOf(tasks).entries()) {
    const { id, handler } = tasks[i]!;
    if (handler || skipped.has(id)) continue;
    layers[layer] ??= [];
    layers[layer].push(id);
  }
  // A layer of which everything is skipped takes no time.
  return layers.filter(Boolean);
}
