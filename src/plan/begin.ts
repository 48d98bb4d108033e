import type { PlanDefinition } from './definition.ts';
import { record } from './events.ts';
import type { Gone } from './gone.ts';
import type { JsonObject } from './json.ts';
import { nextRunState } from './next-run.ts';
import { type Items, makePlan, type Plan } from './plan.ts';
import type { NextRun } from './reuse.ts';
import type { Snapshot } from './snapshot.ts';
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

/** What the next run's start is told with besides: what it found where the run before had worked. */
export interface Found {
  gone?: Gone;
  note?: string | undefined;
}

/** A plan's next run, after one that failed or was stopped. */
export function beginNextRun(
  input: Beginning,
  snapshot: Snapshot,
  how: NextRun,
  now: number,
  { gone = { files: {} }, note }: Found = {},
): Plan {
  const { principal, definition, path } = input;
  const state = nextRunState(definition, snapshot, how, gone);
  const details = { run: state.run, mode: how.mode, ...(how.from !== undefined && { from: how.from }) };
  record(state, now, 'RunStarted', { by: principal.name, ...(note !== undefined && { message: note }), details });
  state.tasks.forEach((task, i) => {
    const { id } = definition.tasks[i]!;
    if (task.reused) {
      const ended = task.status === 'succeeded' ? {} : { details: { status: task.status } };
      record(state, now, 'TaskReused', { task: path + id, ...ended });
    }
    const files = gone.files[id];
    if (files && how.mode === 'resume')
      task.reason = `it runs again: files it made are gone or changed: ${files.slice(0, 5).join(', ')}`;
  });
  return makePlan({ ...input, given: input.given ?? 0, state });
}

/** The same run, carried over to a new history. */
export const beginAgain = (input: Beginning, carried: PlanState): Plan =>
  makePlan({ ...input, given: input.given ?? 0, state: carried });
