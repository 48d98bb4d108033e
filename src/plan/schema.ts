import { z } from 'zod';
import { ON_FAILURE } from './definition.ts';
import { parseDuration } from './duration.ts';
import { type AnyTaskKind, type TaskParts, taskWordsOf } from './kind.ts';

/** Words of the format that this release refuses by name, because it does not act on them yet. */
export const PLAN_WORDS_NOT_YET = ['budget', 'concurrency', 'worktree', 'iterate'] as const;

/** What tasks and inputs may be called; expressions read such names without quotes, but for those with a hyphen. */
export const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
export const NAME_RULE = 'letters, digits, "_" and "-", at most 64, not beginning with a digit or "-"';

const named = z.string().regex(NAME, `names have ${NAME_RULE}`);

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
  .meta({ examples: ['30s', '5m', '1h30m', '2d'] });
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
    max_attempts: z.int().min(1).max(1_000),
    delay: duration.optional(),
    backoff: z.number().min(1).optional(),
    max_delay: duration.optional(),
  })
  .refine(({ delay, max_delay }) => !delay || !max_delay || !(spanOf(max_delay) < spanOf(delay)), {
    error: 'is shorter than delay',
    path: ['max_delay'],
  });

const TASK = {
  description: z.string().optional(),
  needs: z.union([z.string(), z.array(z.string())]).optional(),
  if: z.union([z.string(), z.boolean()]).optional(),
  timeout: someTime.optional(),
  retry: z.union([z.int().min(1).max(1_000), retry]).optional(),
  on_failure: z.enum(ON_FAILURE).default('fail'),
  env: variables.optional(),
  secrets: secretNames.optional(),
};

/** Every word a task may have besides its kind. */
export const TASK_WORDS: readonly string[] = [...Object.keys(TASK), 'id'];

export const INPUT_TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const;
export type InputType = (typeof INPUT_TYPES)[number];

/** What a plan says about one of its inputs: a small JSON Schema. */
export const inputDeclaration = z.strictObject(
  {
    type: z.enum(INPUT_TYPES).default('string'),
    description: z.string().optional(),
    default: z.json().optional(),
    enum: z.array(z.json()).min(1).optional(),
    required: z.boolean().optional(),
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
  const id = { id: named.optional() };
  const parts: TaskParts = {
    task: z.lazy(() => task),
    step: z.lazy(() => step),
    item: z.lazy(() => item),
  };
  const optional = (words: Record<string, z.ZodType>) =>
    Object.fromEntries(Object.entries(words).map(([word, schema]) => [word, schema.optional()]));
  const words = optional(Object.fromEntries(kinds.map((kind) => [kind.key, kind.nested?.(parts) ?? kind.words])));
  const more = optional(Object.assign({}, ...kinds.map(({ taskWords }) => taskWords)) as Record<string, z.ZodType>);
  const task = z.strictObject({ ...words, ...TASK, ...more }, TASK_RULE).meta(oneKind);
  const step = z.strictObject({ ...words, ...stepWords, ...more, ...id }, TASK_RULE).meta(oneKind);
  const item = z.strictObject({ ...words, ...stepWords, ...more }, TASK_RULE).meta(oneKind);
  const handler = z.strictObject({ ...words, ...handlerWords, ...more, ...id }, TASK_RULE).meta(oneKind);
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
        plan: z.literal(1, 'write plan: 1, the version of the format'),
        name: z
          .string()
          .min(1)
          .max(100)
          .regex(/^\P{Cc}*$/u, 'must be one line'),
        description: z.string().optional(),
        labels: z.record(z.string(), z.string()).default({}),
        inputs: z.record(named, inputDeclaration).default({}),
        env: variables.optional(),
        ...defaults,
        secrets: secretNames.optional(),
        max_parallel: z.int().min(1).max(500).default(100),
        deadline: someTime.optional(),
        review: z.enum(['required', 'none']).default('none'),
        tasks: z.record(z.string(), task).optional(),
        steps: z.array(step).optional(),
        on_failure: handlers,
        on_success: handlers,
        finally: handlers,
      },
      notA('a plan file is a map of words such as plan, name and tasks'),
    )
    .meta({ title: 'Holdpoint plan file', oneOf: [{ required: ['tasks'] }, { required: ['steps'] }] });
}
/** Words of a kind's tasks that a plan may say once for all of them. */
export const PLAN_DEFAULTS = ['working_directory', 'env_file'] as const;

function defaultsFor(kinds: readonly AnyTaskKind[]) {
  const words: Record<string, z.ZodType> = Object.assign({}, ...kinds.map(({ taskWords }) => taskWords));
  const sameForAll = (schema: z.ZodType) =>
    schema.refine((given) => !JSON.stringify(given).includes('${{'), {
      error: "is the same for all tasks; expressions stand in a task's own",
    });
  const [directory, file] = PLAN_DEFAULTS.map((word) => words[word] && sameForAll(words[word]).optional());
  return {
    ...(directory && { working_directory: directory as z.ZodType<string | undefined> }),
    ...(file && { env_file: file as z.ZodType<string | string[] | undefined> }),
  };
}

export type PlanFile = z.infer<ReturnType<typeof planFileSchema>>;
export type TaskWords = NonNullable<PlanFile['tasks']>[string];
