import type { Json, JsonObject } from './json.ts';
import type { Concurrency } from './slot.ts';

/**
 * How the workflow carries a task out: by an activity, by a question to somebody, by a clock, at once as a value, by a
 * sub-plan, or by itself once for every item of a list. A kind names its mode, so that the workflow needs no list of kinds.
 */
export type TaskMode = 'activity' | 'question' | 'clock' | 'value' | 'plan' | 'map';

/** Tasks that begin when the plan's own have ended: for one ending, or for either. They never decide the verdict. */
export const HANDLERS = ['on_failure', 'on_success', 'finally'] as const;
export type Handler = (typeof HANDLERS)[number];

/** A plan file, checked and made plain: tasks by index, durations in milliseconds, defaults filled in. */
export interface PlanDefinition {
  schema_version: 1;
  name: string;
  description?: string;
  max_parallel: number;
  env?: Record<string, string>;
  /** How long the plan may take in all, time on hold not counted. */
  deadline_ms?: number;
  concurrency?: Concurrency;
  /** Of the plan of one iteration: by what name its expressions read what it works on, beside `index`; see iteration.ts. */
  as?: string;
  tasks: TaskDefinition[];
}

export interface TaskDefinition {
  id: string;
  kind: string;
  mode: TaskMode;
  /** Indexes of the tasks that must end before this one starts. */
  needs: number[];
  /** Indexes of the tasks whose outputs or status its expressions read; each is an ancestor. */
  uses: number[];
  /** Names of the plan's inputs that its expressions read. */
  inputs: string[];
  /** The kind's own words, with their expressions still in them. */
  with: Json;
  if?: string;
  /** The condition as people wrote it, where `if` was made from it. */
  if_text?: string;
  timeout_ms?: number;
  retry: RetryPolicy;
  on_failure: OnFailure;
  handler?: Handler;
  env?: Record<string, string>;
  /** Hash of everything that decides what this task does, its ancestors included; see fingerprint.ts. */
  fingerprint: string;
}

/** A task's condition as people know it; one that only says that the task runs in any case is none. */
export const conditionShown = ({ if: condition, if_text }: TaskDefinition): string | undefined =>
  condition === 'true' ? undefined : (if_text ?? condition);

/** What a task's failure means: the plan fails, somebody is asked, or the plan goes on. */
export const ON_FAILURE = ['fail', 'hold', 'continue'] as const;
export type OnFailure = (typeof ON_FAILURE)[number];

export interface RetryPolicy {
  /** Attempts in all, the first included. */
  max_attempts: number;
  delay_ms: number;
  /** Each delay is this many times the one before. */
  backoff: number;
  max_delay_ms: number;
}

/** What a task of mode `map` carries in `with`. */
export interface MapWords {
  /** The list itself, or the expression that gives it. */
  in: Json;
  /** By what name its task's expressions read the item. */
  as: string;
  max_parallel: number;
  /** Whether no further item starts once one has failed. */
  fail_fast: boolean;
  task: TaskDefinition;
  /** Set for the map that a plan with `iterate` becomes. */
  iterate?: IterateWords;
}

/** How the items of a plan's iterations are made of what `in` gives. */
export interface IterateWords {
  /** No more than the first so many are worked. */
  max?: number;
  /** `in` gives a text; each of its lines is one, empty ones left out. */
  lines?: true;
  /** What to say when there is none, such as `no file matches specs/*.md`. */
  none: string;
  /** So many are in one batch at most: each tells its plan when it begins, and so does each step of it where it has few. */
  batch: number;
}

/** What a task of mode `plan` carries in `with`. */
export interface SubPlanWords {
  definition: PlanDefinition;
  inputs: JsonObject;
  /** Names to expressions over its tasks, computed when it has completed. */
  outputs: JsonObject;
}

/** What a task leaves for others: names to values, large ones as a `StoredValue`. */
export type Outputs = JsonObject;
