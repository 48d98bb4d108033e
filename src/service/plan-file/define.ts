import { createHash } from 'node:crypto';
import type { PlanDefinition, RetryPolicy, TaskDefinition } from '../../plan/definition.ts';
import { parseDuration } from '../../plan/duration.ts';
import { withFingerprints } from '../../plan/fingerprint.ts';
import type { JsonObject } from '../../plan/json.ts';
import { type AnyTaskKind, taskWordsOf } from '../../plan/kind.ts';
import type { PlanFile, TaskWords } from '../../plan/schema.ts';
import { conditionOf, type Reads } from './expressions.ts';
import type { TaskList } from './tasks.ts';

/** The definition of a plan whose file has no fault. */
export function definePlan(file: PlanFile, list: TaskList, reads: Reads[], inputs: JsonObject): PlanDefinition {
  const tasks = list.entries.map(({ id, kind, needs }, i) => {
    const words = file.tasks ? file.tasks[id]! : file.steps![i]!;
    return defineTask(id, kind!, words, needs, reads[i]!.tasks);
  });
  const inputsOf = new Map(tasks.map((task, i) => [task.id, pick(inputs, reads[i]!.inputs)]));
  const versions = new Map(list.entries.map(({ kind }) => [kind!.key, kind!.version]));
  return {
    schema_version: 1,
    name: file.name,
    ...(file.description !== undefined && { description: file.description }),
    max_parallel: file.max_parallel,
    ...(file.env && { env: file.env }),
    tasks: withFingerprints(tasks, {
      sha256: (text) => createHash('sha256').update(text).digest('hex'),
      kindVersion: (kind) => versions.get(kind)!,
      inputsOf: (task) => inputsOf.get(task.id)!,
      env: file.env ?? {},
    }),
  };
}

const pick = <Value>(values: Record<string, Value>, names: string[]): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => names.includes(name) && value !== undefined));

type Unmarked = Omit<TaskDefinition, 'fingerprint'>;

function defineTask(
  id: string,
  kind: AnyTaskKind,
  words: Omit<TaskWords, 'needs'>,
  needs: number[],
  uses: number[],
): Unmarked {
  const { env, on_failure } = words;
  const timeout_ms = spanOf(words.timeout) ?? kind.defaults?.timeout_ms;
  const condition = conditionOf(words.if);
  const given = words as Record<string, unknown>;
  return {
    id,
    kind: kind.key,
    mode: kind.mode,
    needs,
    uses,
    with: kind.plain(given[kind.key], pick(given, taskWordsOf(kind))),
    ...(condition !== undefined && { if: condition }),
    ...(timeout_ms !== undefined && { timeout_ms }),
    retry: retryOf(words.retry, kind),
    on_failure,
    ...(env && { env }),
  };
}

const RETRY: RetryPolicy = { max_attempts: 1, delay_ms: 1_000, backoff: 2, max_delay_ms: 300_000 };

function retryOf(given: TaskWords['retry'], kind: AnyTaskKind): RetryPolicy {
  const preset = { ...RETRY, ...kind.defaults?.retry };
  if (given === undefined) return preset;
  if (typeof given === 'number') return { ...preset, max_attempts: given };
  const delay_ms = spanOf(given.delay) ?? preset.delay_ms;
  return {
    max_attempts: given.max_attempts,
    delay_ms,
    backoff: given.backoff ?? preset.backoff,
    // A first delay longer than the usual limit is meant as it is said.
    max_delay_ms: spanOf(given.max_delay) ?? Math.max(delay_ms, preset.max_delay_ms),
  };
}

const spanOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : parseDuration(text));
