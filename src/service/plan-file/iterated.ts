import { map } from '../../activities/map.ts';
import { run } from '../../activities/run.ts';
import { subPlan } from '../../activities/sub-plan.ts';
import type {
  IterateWords,
  MapWords,
  PlanDefinition,
  SubPlanWords,
  TaskDefinition,
  TaskMode,
} from '../../plan/definition.ts';
import { withFingerprints } from '../../plan/fingerprint.ts';
import { INDEX, ITEM, tellsSteps } from '../../plan/iteration.ts';
import type { Json, JsonObject } from '../../plan/json.ts';
import type { AnyTaskKind } from '../../plan/kind.ts';
import { pick } from '../../plan/scope.ts';
import { fingerprintContext, RETRY } from './define.ts';

/**
 * Where the inputs of the iterations come from. `inputs`: names of the plan's inputs that the expressions in it read.
 * `none`: what to say when there is none, such as `no file matches specs/*.md`.
 */
export type Over =
  /** The inputs themselves; expressions in them are filled in. */
  | { list: Json[]; inputs?: string[] }
  /** One expression that gives a list, without `${{` and `}}`. */
  | { expression: string; inputs: string[]; none?: string }
  /**
   * The words of a `run` task, as its kind makes them plain, whose standard output has one input a line; or those of a task of
   * another kind, whose output `stdout` is the list.
   */
  | { lines: Json; inputs?: string[]; none: string; finder?: AnyTaskKind };

export interface Iteration {
  over: Over;
  /** By what name the tasks' expressions read the input; they read its place, from 0, as `index`. */
  as?: string;
  /** No more than the first so many are worked. */
  max?: number;
}

/** What iterated plans call the task that does the iterations, and the one before it that finds their inputs. */
export const ITERATIONS = 'iterate';
export const INPUTS_FOUND = 'inputs';

/**
 * The plan that does the tasks of `plan` once for every input, one input after another, and fails with the first iteration
 * that does. `plan` is a definition as `definePlan` gives it, its tasks' expressions reading the input; `values` are the
 * values of the plan's inputs. Its handlers stay those of the whole plan, as do name, deadline, env and concurrency: they
 * must not read its tasks, and none may be called `iterate` or `inputs`.
 *
 * What comes out has one task, `iterate`: a map of which every item is a sub-plan with the tasks of `plan`, or the task itself
 * where it is one plain command; and before it, where a command tells the inputs, the task `inputs`. So a next run keeps what a map and a sub-plan keep.
 */
export function iterated(plan: PlanDefinition, iteration: Iteration, values: JsonObject = {}): PlanDefinition {
  const { tasks, ...around } = plan;
  const own = tasks.filter(({ handler }) => !handler);
  const handlers = tasks.filter(({ handler }) => handler);
  const finds = 'lines' in iteration.over ? [findInputs(iteration.over)] : [];
  const iterate = iterations({ ...plan, tasks: own }, iteration, finds.length);
  // Handlers stand after the plan's own tasks, and read and need none of them.
  const first = finds.length + 1;
  const moved = (list: number[]) => list.map((i) => first + handlers.indexOf(tasks[i]!));
  const main = withFingerprints([...finds, iterate], {
    ...fingerprintContext(VERSIONS),
    inputsOf: (task) => pick(values, task.inputs),
    env: around.env ?? {},
  });
  const after = handlers.map((task) => ({ ...task, needs: moved(task.needs), uses: moved(task.uses) }));
  return { ...around, tasks: [...main, ...after] };
}

const VERSIONS = new Map([map, run, subPlan].map(({ key, version }) => [key, version]));

type Unmarked = Omit<TaskDefinition, 'fingerprint'>;

const task = (id: string, kind: string, mode: TaskMode, words: unknown, more: Partial<Unmarked>): Unmarked => ({
  id,
  kind,
  mode,
  needs: [],
  uses: [],
  inputs: [],
  with: words as Json,
  retry: RETRY,
  on_failure: 'fail',
  ...more,
});

const findInputs = ({ lines, inputs = [], finder = run }: Extract<Over, { lines: Json }>): Unmarked =>
  task(INPUTS_FOUND, finder.key, finder.mode, lines, { inputs });

/** Signals of one batch to its plan, at most: a plan's history has to last until the batch has ended. */
const MOST_SIGNALS = 400;

function iterations(inner: PlanDefinition, { over, as = 'item', max }: Iteration, needs: number): Unmarked {
  const before = needs > 0 ? [0] : [];
  const { tasks } = inner;
  const item = isPlain(tasks) ? tasks[0]! : iterationPlan({ ...inner, as });
  const signals = tellsSteps({ ...inner, as }) ? tasks.length + 1 : 1;
  const iterate: IterateWords = {
    ...(max !== undefined && { max }),
    ...('lines' in over && { lines: true }),
    none: 'none' in over && over.none !== undefined ? over.none : 'the list is empty',
    batch: Math.max(1, Math.floor(MOST_SIGNALS / signals)),
  };
  const mapWords: MapWords = { in: listOf(over), as, max_parallel: 1, fail_fast: true, task: item, iterate };
  const inputs = [...new Set([...item.inputs, ...(over.inputs ?? [])])];
  return task(ITERATIONS, map.key, map.mode, mapWords, { needs: before, uses: before, inputs });
}

/**
 * One command that fails its plan when it fails: it can be the iteration itself, which takes half the time. Anything else,
 * such as a step that is skipped, held or survived, would end an iteration otherwise than it ends a plan.
 */
const isPlain = ([only, ...more]: TaskDefinition[]): boolean =>
  more.length === 0 && only?.mode === 'activity' && only.if === undefined && only.on_failure === 'fail';

/** A sub-plan with the tasks, which is given all that they read. */
function iterationPlan({ name, max_parallel, as, tasks }: PlanDefinition): TaskDefinition {
  const read = [...new Set(tasks.flatMap(({ inputs }) => inputs))];
  const words: SubPlanWords = {
    definition: { schema_version: 1, name, max_parallel, ...(as !== undefined && { as }), tasks },
    inputs: {
      ...Object.fromEntries(read.map((input) => [input, `\${{ inputs[${JSON.stringify(input)}] }}`])),
      [ITEM]: `\${{ ${as} }}`,
      [INDEX]: '${{ index }}',
    },
    outputs: {},
  };
  const made = task(ITERATIONS, subPlan.key, subPlan.mode, words, { inputs: read });
  return withFingerprints([made], fingerprintContext(VERSIONS))[0]!;
}

function listOf(over: Over): Json {
  if ('list' in over) return over.list;
  return 'expression' in over ? over.expression : `tasks.${INPUTS_FOUND}.outputs.stdout`;
}
