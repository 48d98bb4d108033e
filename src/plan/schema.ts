import { z } from 'zod';
import { ON_FAILURE } from './definition.ts';
import { DURATION_PATTERN, parseDuration } from './duration.ts';
import { type AnyTaskKind, type TaskParts, taskWordsOf } from './kind.ts';

/** What tasks and inputs may be called; expressions read such names without quotes, but for those with a hyphen. */
export const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
export const NAME_RULE = 'letters, digits, "_" and "-", at most 64, not beginning with a digit or "-"';

const named = z.string().regex(NAME, `names have ${NAME_RULE}`);

/** What expressions read already, and the words of the language itself. */
const TAKEN = [
  'inputs',
  'tasks',
  'secrets',
  'plan',
  'index',
  '__proto__',
  ...'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
];

/** By what name expressions read one item of a list. */
export const itemName = z
  .string()
  .regex(NAME, `names have ${NAME_RULE}`)
  .regex(/^[^-]*$/, 'expressions read it without quotes, so it cannot have a "-"')
  .refine((name) => !TAKEN.includes(name), 'this name is taken');

/** What to say when something is no map at all; other faults of a map keep their own message. */
export const notA = (rule: string) => ({
  error: (issue: { code?: string }) => (issue.code === 'invalid_type' ? rule : undefined),
});
const TASK_RULE = notA('a task is a map, such as { run: "npm test" }');

/** Durations stay text here, so that editors can be given a JSON Schema; whoever needs milliseconds parses them. */
const DURATION_RULE = 'write a duration such as 30s, 5m, 1h30m or 2d';
export const duration = z
  .string(DURATION_RULE)
  .refine((text) => parseDuration(text) !== undefined, {
    error: ({ input }) => `${JSON.stringify(input)} is not a duration; ${DURATION_RULE}`,
  })
  .meta({ pattern: DURATION_PATTERN, examples: ['30s', '5m', '1h30m', '2d'] });
export const someTime = duration.refine((text) => parseDuration(text) !== 0, 'must be longer than 0');

/** Milliseconds; of what is no duration NaN, so that every comparison is false and only the one fault is told. */
const spanOf = (text: string): number => parseDuration(text) ?? Number.NaN;

const variables = z.record(
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'a variable is named with letters, digits and "_"'),
  z
    .string()
    .refine((text) => !text.includes('\0'), 'a variable cannot hold the character NUL')
    .refine(
      (text) => !text.includes('${{'),
      'expressions are not filled in here; write ${{ … }} in the script instead',
    ),
);

/** Names of secrets, which become variables of an environment. */
const secretNames = z
  .array(
    z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'a secret is named with letters, digits and "_"')
      .refine((name) => !name.startsWith('HOLDPOINT_'), 'names that begin with HOLDPOINT_ are taken'),
  )
  .min(1, 'names no secret; remove it')
  .max(100);

const retry = z
  .strictObject({
    max_attempts: z.int().min(1).max(1_000).describe('Attempts in all, the first included'),
    delay: duration.optional().describe('Between the first attempt and the second; 1s unless said'),
    backoff: z.number().min(1).optional().describe('Each delay is so many times the one before; 2 unless said'),
    max_delay: duration.optional().describe('No delay is longer; 5m unless said'),
  })
  .refine(({ delay, max_delay }) => !delay || !max_delay || !(spanOf(max_delay) < spanOf(delay)), {
    error: 'is shorter than delay',
    path: ['max_delay'],
  });

const TASK = {
  description: z.string().optional().describe('For people'),
  needs: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('Id, or list of ids, of the tasks that must have ended before this one starts'),
  if: z
    .union([z.string(), z.boolean()])
    .optional()
    .describe('A CEL expression; when it is false the task is skipped')
    .meta({ examples: ["tasks.ship_it.outputs.choice == 'ship'"] }),
  timeout: someTime.optional().describe('How long one attempt may take'),
  retry: z
    .union([z.int().min(1).max(1_000), retry])
    .optional()
    .describe('Number of attempts in all, or how they follow each other'),
  on_failure: z
    .enum(ON_FAILURE)
    .default('fail')
    .describe('What a failure means: the plan fails, somebody is asked, or what needs the task starts all the same'),
  env: variables.optional().describe('Environment variables; values are text'),
  secrets: secretNames
    .optional()
    .describe(
      'Names of secrets of the engine: variables of a `run` task, `${{ secrets.NAME }}` in the words of `http`',
    ),
};

const BUDGET_RULE = 'a budget is a map with max_tokens, max_cost or both, such as { max_tokens: 100000 }';
const budget = z
  .strictObject(
    {
      max_tokens: z.int().min(1).optional().describe('Tokens that its calls of models may take, in and out together'),
      max_cost: z.number().positive().optional().describe('What they may cost, in the currency of the model profiles'),
      on_exceeded: z
        .enum(['hold', 'fail'])
        .default('hold')
        .describe('`hold`: the plan is paused until somebody resumes it with more; `fail`: the task fails'),
    },
    notA(BUDGET_RULE),
  )
  .refine(({ max_tokens, max_cost }) => max_tokens !== undefined || max_cost !== undefined, { error: BUDGET_RULE })
  .describe('What the plan’s calls of models may take in all, over all its runs');

const CONCURRENCY_RULE = 'concurrency is a map, such as { group: deploy, max: 1 }';
const GROUP_RULE = `a group is named with ${NAME_RULE}`;
const MAX_RULE = 'write how many plans of the group may run at once, from 1 to 1000';
const concurrency = z
  .strictObject(
    {
      group: z
        .string({ error: ({ input }) => (input === undefined ? undefined : GROUP_RULE) })
        .regex(NAME, GROUP_RULE)
        .describe('Name of the group; it is one for all of an organisation'),
      max: z
        .int(MAX_RULE)
        .min(1, MAX_RULE)
        .max(1_000, MAX_RULE)
        .default(1)
        .describe('How many of them may run at once'),
    },
    notA(CONCURRENCY_RULE),
  )
  .describe('Of all plans that name this group at most `max` run at a time; the others wait, in order');

const COMMAND_RULE = 'a command is text, such as "git ls-files"';
const OVER_RULE =
  'write a list, a pattern of files such as specs/*.md, { command: "…" } that prints one input per line, or an expression such as ${{ inputs.files }}';

/** Of what has none of the forms; faults within one of them are told by themselves. */
function overRule(issue: {
  input?: unknown;
  errors?: readonly (readonly { code?: string; path?: PropertyKey[] }[])[];
}) {
  const isNone = issue.errors?.every((one) => one.some(({ code, path }) => code === 'invalid_type' && !path?.length));
  if (!isNone) return undefined;
  const { input } = issue;
  return `${input === undefined ? '`over` is missing' : input === null ? 'is empty' : `is ${String(input)}`}; ${OVER_RULE}`;
}

const MAX_INPUTS_RULE = 'write how many inputs are worked at most, from 1 to 100000';
const iterate = z
  .strictObject(
    {
      over: z
        .union(
          [
            z.string(),
            z.array(z.json()).min(1, `no inputs found: the list is empty; ${OVER_RULE}`),
            z.strictObject({
              command: z
                .string({ error: ({ input }) => (input === undefined ? undefined : COMMAND_RULE) })
                .min(1, 'a command must not be empty')
                .refine((script) => !script.includes('\0'), 'a command cannot hold the character NUL')
                .describe('A bash script that prints one input per line'),
            }),
          ],
          { error: (issue) => overRule(issue as Parameters<typeof overRule>[0]) },
        )
        .describe(
          'The inputs: a list, a pattern of files, a command that prints them, or an expression that gives a list',
        ),
      as: itemName.default('item').describe('By what name the steps read the input'),
      max: z
        .int(MAX_INPUTS_RULE)
        .min(1, MAX_INPUTS_RULE)
        .max(100_000, MAX_INPUTS_RULE)
        .optional()
        .describe('How many inputs are worked at most: the first ones'),
    },
    notA('iterate says `over` which inputs the steps are done, such as { over: [one, two], as: item }'),
  )
  .describe('Does the steps once for every input, one after another');

/** Every word a task may have besides its kind. */
export const TASK_WORDS: readonly string[] = [...Object.keys(TASK), 'id'];

export const INPUT_TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const;
export type InputType = (typeof INPUT_TYPES)[number];

/** What a plan says about one of its inputs: a small JSON Schema. */
export const inputDeclaration = z.strictObject(
  {
    type: z.enum(INPUT_TYPES).default('string').describe('What kind of value it is'),
    description: z.string().optional().describe('For people'),
    default: z.json().optional().describe('Its value when none is given; without one it has to be given'),
    enum: z.array(z.json()).min(1).optional().describe('The only values it may have'),
    required: z.boolean().optional().describe('Whether it has to be given'),
  },
  notA('an input is described by a map, such as { type: string }'),
);
export type InputDeclaration = z.infer<typeof inputDeclaration>;

/** How tasks look by where they stand: under `tasks`, in a list of steps, inside a map, and as a handler. */
function taskSchemas(kinds: readonly AnyTaskKind[]) {
  const ofKind = kinds.flatMap((kind) => taskWordsOf(kind).map((word) => [word, [kind.key]] as const));
  const oneKind = {
    oneOf: kinds.map(({ key }) => ({ required: [key] })),
    dependentRequired: Object.fromEntries(ofKind),
  };
  const { needs: _, ...stepWords } = TASK;
  const { on_failure: __, if: ___, ...handlerWords } = stepWords;
  const id = { id: named.optional().describe('By which others read it; `step-N` unless said') };
  const parts: TaskParts = {
    task: z.lazy(() => task),
    step: z.lazy(() => step),
    item: z.lazy(() => item),
  };
  const optional = (words: Record<string, z.ZodType>) =>
    Object.fromEntries(Object.entries(words).map(([word, schema]) => [word, schema.optional()]));
  const words = optional(Object.fromEntries(kinds.map((kind) => [kind.key, kind.nested?.(parts) ?? kind.words])));
  const more = optional(Object.assign({}, ...kinds.map(({ taskWords }) => taskWords)) as Record<string, z.ZodType>);
  const task = z.strictObject({ ...words, ...TASK, ...more }, TASK_RULE).meta({ ...oneKind, id: 'task' });
  const step = z.strictObject({ ...words, ...stepWords, ...more, ...id }, TASK_RULE).meta({ ...oneKind, id: 'step' });
  const item = z.strictObject({ ...words, ...stepWords, ...more }, TASK_RULE).meta({ ...oneKind, id: 'item' });
  const handler = z
    .strictObject({ ...words, ...handlerWords, ...more, ...id }, TASK_RULE)
    .meta({ ...oneKind, id: 'handler' });
  return { task, step, handler };
}

/**
 * The shape of a plan file with tasks of these kinds. What a schema cannot say (names that exist, cycles, expressions) is
 * checked by `service/plan-file`; that a task has one kind, and a plan tasks or steps, is said to editors as metadata.
 */
export function planFileSchema(kinds: readonly AnyTaskKind[]) {
  const { task, step, handler } = taskSchemas(kinds);
  const handlers = z.union([handler, z.array(handler).min(1)]).optional();
  const defaults = defaultsFor(kinds);
  return z
    .strictObject(
      {
        plan: z.literal(1, 'write plan: 1, the version of the format').describe('The version of the format'),
        name: z
          .string()
          .min(1)
          .max(100)
          .regex(/^\P{Cc}*$/u, 'has control characters, such as line breaks; remove them')
          .describe('What people call the plan'),
        description: z.string().optional().describe('For people'),
        labels: z.record(z.string(), z.string()).default({}).describe('Names and texts, for people'),
        inputs: z.record(named, inputDeclaration).default({}).describe('What a caller may give, by name'),
        env: variables.optional().describe('Environment variables of every `run` task; values are text'),
        ...defaults,
        secrets: secretNames.optional().describe('Names of secrets of the engine, for all tasks that can have some'),
        max_parallel: z.int().min(1).max(500).default(100).describe('How many tasks may run at once'),
        deadline: someTime
          .optional()
          .describe('How long the plan may take in all, from its first moment of work; time on hold does not count'),
        concurrency: concurrency.optional(),
        budget: budget.optional(),
        iterate: iterate.optional(),
        review: z
          .enum(['required', 'none'])
          .default('none')
          .describe('`required`: nothing starts before somebody approves the plan'),
        worktree: z
          .boolean()
          .optional()
          .describe('Whether commands run in a Git worktree of the plan, on a branch of its own'),
        tasks: z.record(z.string(), task).optional().describe('The tasks, by id'),
        steps: z.array(step).optional().describe('Instead of `tasks`: a list that runs one after another'),
        on_failure: handlers.describe('What is done when the plan fails: one task, or a list of steps'),
        on_success: handlers.describe('What is done when the plan completes: one task, or a list of steps'),
        finally: handlers.describe('What is done at last, however the plan ends: one task, or a list of steps'),
      },
      notA('a plan file is a map of words such as plan, name and tasks'),
    )
    .meta({ title: 'Holdpoint plan file', oneOf: [{ required: ['tasks'] }, { required: ['steps'] }] });
}
/** Words of a kind's tasks that a plan may say once for all of them. */
export const PLAN_DEFAULTS = ['working_directory', 'env_file'] as const;

function defaultsFor(kinds: readonly AnyTaskKind[]) {
  const words: Record<string, z.ZodType> = Object.assign({}, ...kinds.map(({ taskWords }) => taskWords));
  const { working_directory, env_file } = words;
  const sameForAll = working_directory?.refine((given) => typeof given !== 'string' || !given.includes('${{'), {
    error: "is the same for all tasks; expressions stand in a task's own",
  });
  return {
    ...(sameForAll && {
      working_directory: sameForAll
        .optional()
        .describe('Where `run` tasks run: a path from the directory of the plan') as z.ZodType<string | undefined>,
    }),
    ...(env_file && { env_file: env_file.optional() as z.ZodType<string | string[] | undefined> }),
  };
}

export type PlanFile = z.infer<ReturnType<typeof planFileSchema>>;
export type TaskWords = NonNullable<PlanFile['tasks']>[string];
