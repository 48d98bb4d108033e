import type { z } from 'zod';
import type { RetryPolicy, TaskMode } from './definition.ts';
import type { Json } from './json.ts';

/** What a plan file may say after a kind's key, and how the task is carried out. One module per kind, in `src/activities`. */
export interface TaskKind<Words, More extends object = Record<string, unknown>> {
  /** The key that makes a task one of this kind, such as `run`. */
  key: string;
  mode: TaskMode;
  /** Raised when the same words come to mean something else: finished work is then not reused. */
  version: number;
  words: z.ZodType<Words>;
  /** In place of `words`, of a kind that has tasks inside it: made from how those look. */
  nested?(parts: TaskParts): z.ZodType<Words>;
  /** Further words of the task, beside the kind's key, that this kind takes and no other. */
  taskWords?: { [Word in keyof More]: z.ZodType<More[Word]> };
  /** The words as the workflow carries them, durations in ms, defaults filled in; `more` are those of `taskWords` that are there. */
  plain(words: Words, more: Partial<More>): Json;
  /** What the plan file need not say. Durations in ms. */
  defaults?: { timeout_ms?: number; retry?: Partial<RetryPolicy> };
  /**
   * How its tasks get what they name as `secrets`: all of them as variables of the environment, or those that the
   * expressions in its words read. Without it they get none.
   */
  secrets?: 'environment' | 'expressions';
  /** Permission, besides `plan:create`, to create plans with such tasks. */
  permission?: string;
}

/** How tasks inside other tasks look: by id, as steps, and once for every item of a list. */
export interface TaskParts {
  task: z.ZodType;
  step: z.ZodType;
  item: z.ZodType;
}

/** Keeps the type of the words between a kind's schema and its functions. */
export const defineTaskKind = <Words, Kind extends TaskKind<Words>>(kind: Kind & TaskKind<Words>): Kind => kind;

export type AnyTaskKind = TaskKind<unknown>;

export const taskWordsOf = (kind: AnyTaskKind): string[] => Object.keys(kind.taskWords ?? {});
