/** The words of workflow files, and what is said of those that are known and not supported. */

/** What a step may do, here or in the tool whose files these are. */
export const ACTIONS = ['shell', 'claude', 'test', 'foreach', 'analyze', 'goal_seek', 'write_file'] as const;

export const FILE_WORDS = [
  'name',
  'description',
  'mode',
  'env',
  'secrets',
  'env_files',
  'env_file',
  'commands',
  'steps',
] as const;

export const MAP_REDUCE = ['setup', 'map', 'reduce'] as const;

const MAP_REDUCE_ONLY = 'belongs to map-reduce files, which are not supported: write a plan file with a `map` task';

export const FILE_WORDS_REFUSED: Record<string, string> = {
  setup: MAP_REDUCE_ONLY,
  map: MAP_REDUCE_ONLY,
  reduce: MAP_REDUCE_ONLY,
  error_policy: MAP_REDUCE_ONLY,
  on_item_failure: MAP_REDUCE_ONLY,
  continue_on_failure: MAP_REDUCE_ONLY,
  max_failures: MAP_REDUCE_ONLY,
  failure_threshold: MAP_REDUCE_ONLY,
  error_collection: MAP_REDUCE_ONLY,
  merge: 'is not supported: write its commands as the last steps',
  profiles:
    'is not supported, for nothing chooses one: write the values under `env`, or in a file that `env_files` names',
};

export const COMMAND_WORDS = [
  'shell',
  'claude',
  'id',
  'name',
  'description',
  'timeout',
  'capture',
  'capture_output',
  'capture_format',
  'capture_streams',
  'on_failure',
  'on_success',
  'allow_failure',
  'env',
  'working_dir',
  'commit_required',
] as const;

export const STEP_WORDS = [...COMMAND_WORDS, 'when', 'retry'] as const;

export const HANDLER_WORDS = [...COMMAND_WORDS, 'max_attempts', 'fail_workflow', 'commands'] as const;

const VALIDATION = 'is not supported: write a step that checks, with an `on_failure` that mends';

export const STEP_WORDS_REFUSED: Record<string, string> = {
  foreach: 'is not supported: write a step for each item, or a plan file with a `map` task',
  do: 'belongs to `foreach`, which is not supported',
  parallel: 'belongs to `foreach`, which is not supported',
  analyze: 'is not supported: write a `shell:` step that does the analysis',
  analysis: 'is not supported: write a `shell:` step that does the analysis',
  goal_seek: 'is not supported: write a `shell:` step that checks, with an `on_failure` that mends and `max_attempts`',
  write_file: 'is not supported: write the file in a `shell:` step, with a here-document',
  test: 'is the older form of `shell`: write `shell: COMMAND`, with `on_failure` beside it',
  command: 'is an older form: write `claude: "/NAME"` or `shell: COMMAND`',
  args: 'is an older form: write the arguments in the text, as in `claude: "/NAME $ARG"`',
  options: 'is an older form: write the options in the text of `claude:`',
  metadata: 'is an older form and changes nothing: remove it',
  handler: 'is not supported: write `shell:` or `claude:`',
  run: 'is a word of plan files: here a command is `shell:`',
  validate: VALIDATION,
  step_validate: VALIDATION,
  skip_validation: VALIDATION,
  validation_timeout: VALIDATION,
  ignore_validation_failure: VALIDATION,
  outputs: 'is not supported: print the path in a `shell:` step and keep it with `capture`',
  output: 'is not supported: keep the output with `capture`',
  output_file: 'is not supported: write `> FILE` in the command',
  on_exit_code:
    'is not supported: capture the step with `allow_failure`, and ask `${NAME.exit_code}` in the `when` of others',
  auto_commit: 'is not supported: commit in a `shell:` step',
  commit_config: 'is not supported: commit in a `shell:` step',
  temporary: 'is not supported: the `env` of a step holds for that step alone',
  clear_env: 'is not supported: write `env -i COMMAND` in the command',
};

/** Words of `on_failure` besides. */
export const HANDLER_WORDS_REFUSED: Record<string, string> = {
  ...STEP_WORDS_REFUSED,
  when: 'is for steps, and not for what follows from one: ask in the command',
  retry: 'is for steps, and not for what follows from one: `max_attempts` runs the step again',
  max_retries: 'is an older form: write `max_attempts`, which counts the first attempt too',
  retry_original: 'is an older form: write `max_attempts`, which is more than 1 when the step is to run again',
  strategy: 'is not supported: the commands run in order, and `fail_workflow` says what follows',
  handler_failure_fatal: 'is not supported: a handler that fails fails the step; write `|| true` in its command',
};

export const RETRY_WORDS = ['attempts', 'initial_delay', 'max_delay', 'backoff'] as const;
export const RETRY_WORDS_REFUSED: Record<string, string> = {
  jitter: 'is not supported: remove it',
  jitter_factor: 'is not supported: remove it',
  retry_on: 'is not supported: every failure is tried again; remove it',
  retry_budget: 'is not supported: give the step a `timeout`, and fewer `attempts`',
  on_failure: 'stands beside `retry`, not in it',
};

/** Names of variables that are not a file's to give. */
export const TAKEN = ['ARG', 'FILE', 'INDEX', 'TOTAL', 'shell', 'claude', 'last', 'step', 'env', 'uuid', 'date'];

/** What texts may read in the tool, and not here. */
export const VALUES_REFUSED: Record<string, string> = {
  validation: 'belongs to `validate`, which is not supported',
  map: 'belongs to map-reduce files, which are not supported',
  worker: 'belongs to map-reduce files, which are not supported',
  merge: 'belongs to `merge`, which is not supported',
  workflow: 'is not supported: ask git in a `shell:` step, and keep what it says with `capture`',
  item: 'belongs to `foreach` and to map-reduce files, which are not supported',
};
