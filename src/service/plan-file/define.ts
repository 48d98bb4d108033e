import { createHash } from 'node:crypto';
import type {
  Handler,
  MapWords,
  PlanDefinition,
  RetryPolicy,
  SubPlanWords,
  TaskDefinition,
} from '../../plan/definition.ts';
import { parseDuration } from '../../plan/duration.ts';
import { withFingerprints } from '../../plan/fingerprint.ts';
import type { Json, JsonObject } from '../../plan/json.ts';
import { type AnyTaskKind, taskWordsOf } from '../../plan/kind.ts';
import { PLAN_DEFAULTS, type PlanFile, type TaskWords } from '../../plan/schema.ts';
import { pick as inputsNamed } from '../../plan/scope.ts';
import { conditionOf, type Reads } from './expressions.ts';
import type { TaskEntry, TaskList } from './tasks.ts';

/** What a plan, or a plan within it, says besides its tasks. */
export type PlanWords = Pick<PlanFile, 'name' | 'max_parallel' | 'tasks' | 'steps'> &
  Partial<Pick<PlanFile, 'description' | 'env' | 'deadline' | 'concurrency' | Inherited | Handler>>;

/** What a plan says once for its tasks, those of its sub-plans included. */
const INHERITED = [...PLAN_DEFAULTS, 'secrets'] as const;
type Inherited = (typeof INHERITED)[number];

/** The definition of a plan whose file has no fault. */
export function definePlan(file: PlanWords, list: TaskList, reads: Reads[], inputs: JsonObject): PlanDefinition {
  const tasks = list.entries.map((entry, i) => defineTask(entry, wordsOf(file, entry), reads[i]!, file));
  const deadline_ms = spanOf(file.deadline);
  const inputsOf = new Map(tasks.map((task, i) => [task.id, inputsNamed(inputs, reads[i]!.inputs)]));
  const versions = new Map(list.entries.map(({ kind }) => [kind!.key, kind!.version]));
  return {
    schema_version: 1,
    name: file.name,
    ...(file.description !== undefined && { description: file.description }),
    max_parallel: file.max_parallel,
    ...(file.env && { env: file.env }),
    ...(deadline_ms !== undefined && { deadline_ms }),
    ...(file.concurrency && { concurrency: file.concurrency }),
    tasks: withFingerprints(tasks, {
      ...fingerprintContext(versions),
      inputsOf: (task) => inputsOf.get(task.id)!,
      env: file.env ?? {},
    }),
  };
}

const pick = <Value>(values: Record<string, Value>, names: readonly string[]): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => names.includes(name) && value !== undefined));

type Unmarked = Omit<TaskDefinition, 'fingerprint'>;

/** A task's words, checked: where they stand is the end of its path. */
function wordsOf(file: PlanWords, { id, path, handler }: TaskEntry): AnyTaskWords {
  const last = path.at(-1)!;
  if (!handler) return file.tasks ? file.tasks[id]! : file.steps![last as number]!;
  const given = file[handler]!;
  return Array.isArray(given) ? given[last as number]! : given;
}

type AnyTaskWords = Omit<TaskWords, 'needs' | 'on_failure' | 'if'> & Partial<Pick<TaskWords, 'on_failure' | 'if'>>;

function defineTask(entry: TaskEntry, words: AnyTaskWords, reads: Reads, plan: PlanWords): Unmarked {
  const { id, needs, handler } = entry;
  const kind = entry.kind!;
  const { env, on_failure = 'fail' } = words;
  const timeout_ms = spanOf(words.timeout) ?? kind.defaults?.timeout_ms;
  const condition = conditionOf(words.if);
  return {
    id,
    kind: kind.key,
    mode: kind.mode,
    needs,
    uses: reads.tasks,
    inputs: reads.inputs,
    with: plainWords(entry, words, reads, plan),
    ...(condition !== undefined && { if: condition }),
    ...(timeout_ms !== undefined && { timeout_ms }),
    retry: retryOf(words.retry, kind),
    on_failure,
    ...(handler && { handler }),
    ...(env && { env }),
  };
}

/** The kind's words; what has tasks inside it is defined here, like the plan itself. */
function plainWords({ kind, item, inner }: TaskEntry, words: AnyTaskWords, reads: Reads, plan: PlanWords): Json {
  const all = words as Record<string, unknown>;
  const given = all[kind!.key];
  if (item) return plainMap(given as MapFile, item, words.env, reads, plan) as unknown as Json;
  if (inner) return plainSubPlan(given as SubPlanFile, inner, reads.inner!, plan) as unknown as Json;
  const more = pick({ ...all, ...planDefaults(all, plan) }, taskWordsOf(kind!));
  const secrets = secretsFor(kind!, words, reads, plan);
  const plain = kind!.plain(given, more);
  return secrets.length > 0 ? { ...(plain as JsonObject), secrets } : plain;
}

/** A task's own directory wins; its own files come after the plan's. */
function planDefaults(words: Record<string, unknown>, { working_directory, env_file }: PlanWords) {
  const files = [env_file ?? [], (words.env_file as string | string[] | undefined) ?? []].flat();
  return {
    ...(working_directory !== undefined && words.working_directory === undefined && { working_directory }),
    ...(files.length > 0 && { env_file: files }),
  };
}

/** What a command of the plan itself runs, as its tasks do: the words of a `run` task, made plain. */
export function runWords(what: { script: string } | { find: string }, plan: PlanWords): JsonObject {
  const { secrets = [] } = plan;
  return {
    ...what,
    ...(planDefaults({}, plan) as JsonObject),
    ...('script' in what && secrets.length > 0 && { secrets }),
  };
}

/** By name only: each attempt looks up the values. */
function secretsFor(kind: AnyTaskKind, words: AnyTaskWords, reads: Reads, plan: PlanWords): string[] {
  if (kind.secrets === 'expressions') return reads.secrets;
  return kind.secrets ? [...new Set([...(plan.secrets ?? []), ...(words.secrets ?? [])])] : [];
}

interface MapFile extends Omit<MapWords, 'task'> {
  task: AnyTaskWords;
}

function plainMap(
  { task, ...words }: MapFile,
  entry: TaskEntry,
  env: Record<string, string> | undefined,
  reads: Reads,
  plan: PlanWords,
): MapWords {
  const made = defineTask(
    entry,
    { ...task, ...((env || task.env) && { env: { ...env, ...task.env } }) },
    reads.item!,
    plan,
  );
  const list = typeof words.in === 'string' ? conditionOf(words.in)! : words.in;
  const [marked] = withFingerprints([made], fingerprintContext(new Map([[entry.kind!.key, entry.kind!.version]])));
  return { ...words, in: list, task: marked! };
}

interface SubPlanFile extends Omit<PlanWords, 'name'> {
  name?: string;
  inputs: JsonObject;
  outputs: JsonObject;
}

function plainSubPlan(file: SubPlanFile, list: TaskList, reads: Reads[], plan: PlanWords): SubPlanWords {
  const { inputs, outputs, ...words } = file;
  const inherited = pick(plan as Record<string, unknown>, INHERITED) as Pick<PlanWords, Inherited>;
  const own = { ...inherited, ...words, name: words.name ?? plan.name };
  return { definition: definePlan(own, list, reads, {}), inputs, outputs };
}

export const fingerprintContext = (versions: Map<string, number>) => ({
  sha256: (text: string) => createHash('sha256').update(text).digest('hex'),
  kindVersion: (kind: string) => versions.get(kind)!,
  inputsOf: () => ({}),
  env: {},
});

export const RETRY: RetryPolicy = { max_attempts: 1, delay_ms: 1_000, backoff: 2, max_delay_ms: 300_000 };

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
