import type { Json, JsonObject } from './json.ts';

/**
 * How the workflow carries a task out: by an activity, by a question to somebody, by a clock, or at once as a value.
 * A kind names its mode, so that the workflow needs no list of kinds.
 */
export type TaskMode = 'activity' | 'question' | 'clock' | 'value';

/** A plan file, checked and made plain: tasks by index, durations in milliseconds, defaults filled in. */
export interface PlanDefinition {
  schema_version: 1;
  name: string;
  description?: string;
  max_parallel: number;
  env?: Record<string, string>;
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
  /** The kind's own words, with their expressions still in them. */
  with: Json;
  if?: string;
  timeout_ms?: number;
  retry: RetryPolicy;
  on_failure: OnFailure;
  env?: Record<string, string>;
  /** Hash of everything that decides what this task does, its ancestors included; see fingerprint.ts. */
  fingerprint: string;
}

export const ON_FAILURE = ['fail', 'continue'] as const;
export type OnFailure = (typeof ON_FAILURE)[number];

export interface RetryPolicy {
  /** Attempts in all, the first included. */
  max_attempts: number;
  delay_ms: number;
  /** Each delay is this many times the one before. */
  backoff: number;
  max_delay_ms: number;
}

/** What a task leaves for others: names to values, large ones as a `StoredValue`. */
export type Outputs = JsonObject;
