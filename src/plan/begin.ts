import type { PlanDefinition } from './definition.ts';
import { record } from './events.ts';
import type { JsonObject } from './json.ts';
import { type Items, makePlan, type Plan } from './plan.ts';
import { nextRunState, type RunMode, type Snapshot } from './reuse.ts';
import { initialState, type PlanState } from './state.ts';

/** What a plan is started with, as far as the rules need it. */
export interface Beginning {
  plan_id: string;
  path: string;
  definition: PlanDefinition;
  inputs: JsonObject;
  items?: Items;
  given?: number;
  principal: { name: string };
  review: boolean;
  /** ms since the epoch. */
  start_at?: number;
}

/** A plan's first run; `created` is when it was asked for, which is earlier where no worker was there to begin it. */
export function begin(input: Beginning, now: number, created = now): Plan {
  const { principal, definition, start_at } = input;
  const state = initialState(definition, { by: principal.name, at: created });
  if (input.review) state.review = { reason: 'review', since: now, by: principal.name };
  if (start_at !== undefined && start_at > now) state.start_at = start_at;
  record(state, now, 'PlanCreated', { by: principal.name });
  return makePlan({ ...input, given: input.given ?? 0, state });
}

/** A plan's next run, after one that failed or was stopped. */
export function beginNextRun(
  input: Beginning,
  snapshot: Snapshot,
  { mode, filesGone = {} }: { mode: RunMode; filesGone?: Record<string, string[]> },
  now: number,
): Plan {
  const { principal, definition, path } = input;
  const state = nextRunState(definition, snapshot, mode, filesGone);
  record(state, now, 'RunStarted', { by: principal.name, details: { run: state.run, mode } });
  state.tasks.forEach((task, i) => {
    if (task.reused) record(state, now, 'TaskReused', { task: path + definition.tasks[i]!.id });
    const gone = filesGone[definition.tasks[i]!.id];
    if (gone && mode === 'resume')
      task.reason = `it runs again: files it made are gone or changed: ${gone.slice(0, 5).join(', ')}`;
  });
  return makePlan({ ...input, given: input.given ?? 0, state });
}

/** The same run, carried over to a new history. */
export const beginAgain = (input: Beginning, carried: PlanState): Plan =>
  makePlan({ ...input, given: input.given ?? 0, state: carried });
