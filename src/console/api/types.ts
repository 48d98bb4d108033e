// Made from docs/openapi.json by `npm run schema`: change the API, not this file.

export type PlanState =
  | {
      status: 'pending_review' | 'awaiting_input' | 'executing' | 'paused' | 'completed' | 'failed' | 'stopped';
    }
  | {
      status: 'stand_by';
      next_execution_at: string;
    };

export interface Schemas {
  About: About;
  AgentExecution: AgentExecution;
  AnswerRecord: AnswerRecord;
  Artifact: Artifact;
  AttemptLog: AttemptLog;
  Budget: Budget;
  Catalog: Catalog;
  CatalogListed: CatalogListed;
  CatalogTeaching: CatalogTeaching;
  ChatStatus: ChatStatus;
  CommandAccepted: CommandAccepted;
  CommandOutcome: CommandOutcome;
  Created: Created;
  DryRun: DryRun;
  Enrollment: Enrollment;
  Event: Event;
  Gap: Gap;
  Limits: Limits;
  Me: Me;
  Operation: Operation;
  OperationLine: OperationLine;
  OperationList: OperationList;
  OperationRows: OperationRows;
  OperationWaits: OperationWaits;
  PendingCheckpoint: PendingCheckpoint;
  PipelineRun: PipelineRun;
  PipelineSent: PipelineSent;
  Plan: Plan;
  PlanInputs: PlanInputs;
  PlanList: PlanList;
  PlanState: PlanState;
  PlanSummary: PlanSummary;
  PlanTag: PlanTag;
  PlasmMeta: PlasmMeta;
  Problem: Problem;
  ProgramAnswer: ProgramAnswer;
  Question: Question;
  Reset: Reset;
  RunPreview: RunPreview;
  SessionListed: SessionListed;
  Task: Task;
  Ticket: Ticket;
  Timeline: Timeline;
  WaitingFor: WaitingFor;
}
export interface About {
  version: string;
  /**
   * `none`: everybody is the user of this machine
   */
  authentication: 'none' | 'required';
  temporal: {
    namespace: string;
    /**
     * Where the Temporal Web UI begins, without a slash at its end; null where the caller may reach none
     */
    ui_url: string | null;
  };
}
export interface AgentExecution {
  agentName: string;
  status: 'pending' | 'running' | 'waiting' | 'retrying' | 'completed' | 'failed' | 'skipped' | 'stopped';
  startedAt: number | null;
  completedAt: number | null;
  /**
   * Of the attempt that succeeded
   */
  tokens: number;
  cost: number;
  attempt: number;
  /**
   * What the agent answered; of a long text its beginning
   */
  output?: {
    content: string;
    json?: unknown;
    truncated?: true;
  };
  error?: string;
  /**
   * Why it was skipped, or stopped
   */
  reason?: string;
}
export interface AnswerRecord {
  choice?: string;
  values?: {
    [k: string]: unknown;
  };
  comment?: string;
  by: string;
  at: string;
}
export interface Artifact {
  sha256: string;
  bytes: number;
  task: string;
  /**
   * Absent where several outputs are kept together
   */
  output?: string;
  /**
   * Of a declared file: where the task made it
   */
  path?: string;
  form: 'file' | 'text' | 'json';
}
export interface AttemptLog {
  run: number;
  task: string;
  attempt: number;
  dispatch: number;
  /**
   * A sub-plan was tried again in the same run
   */
  again?: number;
  bytes: number;
  /**
   * Bytes that its middle lacks
   */
  dropped?: number;
  started_at: string;
  last_output_at: string;
}
export interface Budget {
  plan_id: string;
  budget: {
    max_tokens: number | null;
    max_cost: number | null;
  };
  spent: {
    tokens: number;
    cost: number;
    /**
     * By calls in flight, as estimated
     */
    reserved: {
      tokens: number;
      cost: number;
    };
  };
}
export interface Catalog {
  /**
   * Of what the catalog says: the same catalog has the same
   */
  prompt_hash: string;
  name: string;
  entities: string[];
}
export interface CatalogListed {
  /**
   * Of what the catalog says: the same catalog has the same
   */
  prompt_hash: string;
  name: string;
  entities: string[];
  created_at: string;
}
export interface CatalogTeaching {
  /**
   * Of what the catalog says: the same catalog has the same
   */
  prompt_hash: string;
  name: string;
  entities: string[];
  /**
   * What agents have to know to write programs over it, as Markdown
   */
  teaching: string;
}
export interface ChatStatus {
  chatId: string;
  running: boolean;
  pendingCheckpoint: PendingCheckpoint | null;
  /**
   * Of the newest run of the chat
   */
  executions: AgentExecution[];
  interruptedPipelineId: string | null;
  /**
   * The newest run
   */
  pipelineRunId: string | null;
  status: ('running' | 'completed' | 'failed' | 'interrupted' | 'awaiting_checkpoint') | null;
  /**
   * Why it is interrupted
   */
  errorType: ('cost_limit' | 'provider_limit' | 'server_restart') | null;
  /**
   * What holds it, or why it failed
   */
  message: string | null;
  planned_agents: string[];
  /**
   * False while no worker answers: then only the status is known, and neither why nor which agents have worked
   */
  live: boolean;
  tokens: number;
  cost: number;
}
export interface PendingCheckpoint {
  checkpointId: string;
  agentName: string;
  message: string;
  options: string[];
  /**
   * JSON Schema of what is to be given as `values`
   */
  form?: {
    [k: string]: unknown;
  };
  /**
   * ms since the epoch
   */
  openedAt: number;
  /**
   * When it is decided without an answer
   */
  expiresAt: number | null;
}
export interface CommandAccepted {
  plan_id: string;
  request_id: string;
  /**
   * A running task has to end first
   */
  pausing?: true;
  /**
   * No worker has answered yet: the command is kept
   */
  message?: string;
}
export interface CommandOutcome {
  request_id: string;
  /**
   * It took effect; it takes effect when what runs has ended; no worker has answered yet
   */
  result: 'done' | 'accepted' | 'pending';
  record?: AnswerRecord;
}
export interface Created {
  plan_id: string;
  /**
   * False when the same plan was there already
   */
  created: boolean;
  enrollment?: Enrollment;
}
/**
 * `n` counts the plans of the key
 */
export interface Enrollment {
  key: string;
  policy: 'once' | 'multiple';
  n: number;
}
export interface DryRun {
  valid: true;
  name: string;
  /**
   * Its own tasks and handlers, in the order of the file
   */
  tasks: string[];
  /**
   * As given, with the defaults
   */
  inputs: {
    [k: string]: unknown;
  };
  would_run: {
    id: string;
    kind: string;
    needs: string[];
    /**
     * A condition that is known only when the plan runs
     */
    when?: string;
    /**
     * Of a map: what runs for every item
     */
    for_each?: {
      kind: string;
      items: number | null;
    };
    handler?: string;
    max_attempts?: number;
    timeout_ms?: number;
  }[];
  would_skip: {
    id: string;
    reason: string;
  }[];
  /**
   * Those of the first start at once
   */
  layers: string[][];
  /**
   * What its creator has to be allowed
   */
  permissions: string[];
  questions: {
    /**
     * Null for the review
     */
    task: string | null;
    kind: string;
    prompt: string;
    options?: unknown;
    form?: unknown;
    timeout_ms?: number;
    on_timeout?: string;
    per_item?: true;
    when?: string;
  }[];
  longest: {
    ms: number | null;
    unlimited: string[];
  };
  warnings: string[];
}
export interface Event {
  /**
   * Without gaps over all runs
   */
  seq: number;
  at: string;
  type:
    | 'PlanCreated'
    | 'RunStarted'
    | 'PlanApproved'
    | 'PlanStateChanged'
    | 'PlanPaused'
    | 'PlanResumed'
    | 'PlanStopped'
    | 'PlanCompleted'
    | 'PlanFailed'
    | 'DeadlinePassed'
    | 'TaskStarted'
    | 'TaskSucceeded'
    | 'TaskFailed'
    | 'TaskRetried'
    | 'TaskLost'
    | 'TaskInterrupted'
    | 'TaskSkipped'
    | 'TaskCancelled'
    | 'TaskReused'
    | 'TaskHeld'
    | 'TaskReleased'
    | 'QuestionOpened'
    | 'QuestionAnswered'
    | 'QuestionTimedOut'
    | 'LimitWarning'
    | 'CommandRefused';
  /**
   * The display name of who did it
   */
  by?: string;
  task?: string;
  attempt?: number;
  question?: string;
  state?: PlanState;
  message?: string;
  details?: unknown;
  error?: {
    message: string;
    code: string;
    details?: unknown;
    task?: string;
  } | null;
  totals?: {
    [k: string]: number;
  };
}
export interface Gap {
  type: 'gap';
  from_seq: number;
  seq: number;
  message: string;
}
export interface Limits {
  /**
   * Tokens, in and out together, of all runs of a chat
   */
  maxTokensPerChat: number | null;
  /**
   * Tokens of a day (UTC)
   */
  maxTokensPerDay: number | null;
  /**
   * Money of a day (UTC), in the currency of the model profiles
   */
  maxCostPerDay: number | null;
  /**
   * Money of a project
   */
  maxCostPerProject: number | null;
  /**
   * The same
   */
  limits: {
    /**
     * Tokens, in and out together, of all runs of a chat
     */
    maxTokensPerChat: number | null;
    /**
     * Tokens of a day (UTC)
     */
    maxTokensPerDay: number | null;
    /**
     * Money of a day (UTC), in the currency of the model profiles
     */
    maxCostPerDay: number | null;
    /**
     * Money of a project
     */
    maxCostPerProject: number | null;
  };
  spent: {
    today: {
      tokens: number;
      cost: number;
      /**
       * By calls in flight, as estimated
       */
      reserved: {
        tokens: number;
        cost: number;
      };
      /**
       * The day, UTC
       */
      date: string;
    };
    /**
     * Of the chat that was asked for
     */
    chat?: {
      tokens: number;
      cost: number;
      /**
       * By calls in flight, as estimated
       */
      reserved: {
        tokens: number;
        cost: number;
      };
    };
    /**
     * Of the project that was asked for
     */
    project?: {
      tokens: number;
      cost: number;
      /**
       * By calls in flight, as estimated
       */
      reserved: {
        tokens: number;
        cost: number;
      };
    };
  };
}
export interface Me {
  id: string;
  name: string;
  org_id: string;
  permissions: ('plan:read' | 'plan:create' | 'plan:run_commands' | 'plan:approve' | 'admin')[];
  expires_at: string | null;
}
export interface Operation {
  handle: string;
  phase: 'running' | 'succeeded' | 'cancelled' | 'failed';
  /**
   * Its last line
   */
  line: string;
  op: OperationLine;
  verdict: 'ok' | 'review';
  plan_commit_ref: string | null;
  commit_id: string;
  /**
   * The first words of its program
   */
  program: string;
  /**
   * The plan that runs it
   */
  plan_id: string;
  accepted_at: string;
  ended_at: string | null;
  /**
   * How often its sources have been asked so far; null where that is not known
   */
  calls: number | null;
  /**
   * Why it stands still, or part of it; empty while all of it is at work
   */
  waiting_for: OperationWaits[];
  /**
   * What it has kept by now
   */
  results: {
    label: string;
    rows: number;
  }[];
}
/**
 * One key is the sigil of the line: + accepted, ~ running, = unchanged, ! succeeded, x cancelled, ? failed
 */
export interface OperationLine {
  /**
   * Which of the lines of the operation it is
   */
  n: number;
  /**
   * Step of steps, such as 3/8
   */
  s?: string;
  /**
   * Name of the step
   */
  l?: string;
  /**
   * Rows
   */
  r?: number;
  /**
   * Token of the dry run it was accepted by
   */
  c?: string;
  '+'?: 1;
  '~'?: 1;
  '='?: 1;
  '!'?: 1;
  x?: 1;
  '?'?: 1;
}
export interface OperationWaits {
  /**
   * Such as question, resume, review, start_time, wait, back_off, release
   */
  what: string;
  /**
   * In words
   */
  text: string;
  task?: string;
  since?: string;
  until?: string;
  by?: string;
  /**
   * By what it would go on
   */
  ways?: {
    /**
     * A command of its plan
     */
    command: 'approve' | 'resume' | 'retry' | 'release' | 'answer';
    question?: string;
    options?: string[];
    [k: string]: unknown;
  }[];
}
export interface OperationList {
  /**
   * Newest first
   */
  operations: {
    handle: string;
    phase: 'running' | 'succeeded' | 'cancelled' | 'failed';
    /**
     * Its last line
     */
    line: string;
    op: OperationLine;
    verdict: 'ok' | 'review';
    plan_commit_ref: string | null;
    commit_id: string;
    /**
     * The first words of its program
     */
    program: string;
    /**
     * The plan that runs it
     */
    plan_id: string;
    accepted_at: string;
    ended_at: string | null;
    /**
     * How often its sources have been asked so far; null where that is not known
     */
    calls: number | null;
    /**
     * Why it stands still, or part of it; empty while all of it is at work
     */
    waiting_for: OperationWaits[];
  }[];
  /**
   * What to give as `before` for those after these
   */
  next_before: number | null;
}
export interface OperationRows {
  label: string;
  rows: {
    [k: string]: unknown;
  }[];
  columns: string[];
  offset: number;
  /**
   * Rows that are kept by now
   */
  kept: number;
  next_offset: number | null;
}
export interface PipelineRun {
  id: string;
  chat_id: string;
  project_id: string | null;
  /**
   * Null until the message has been classified
   */
  intent: ('build' | 'fix' | 'question') | null;
  /**
   * Of the shipped pipelines frontend, backend, styling, full
   */
  scope: string | null;
  user_message: string;
  planned_agents: string[];
  status: 'running' | 'completed' | 'failed' | 'interrupted' | 'awaiting_checkpoint';
  checkpoint_data: PendingCheckpoint | null;
  /**
   * ms since the epoch
   */
  started_at: number;
  completed_at: number | null;
  /**
   * Why it is interrupted
   */
  errorType: ('cost_limit' | 'provider_limit' | 'server_restart') | null;
  /**
   * What holds it, or why it failed
   */
  message: string | null;
  /**
   * It is no longer found as interrupted
   */
  dismissed: boolean;
  /**
   * False while no worker answers: then only the status is known, and neither why nor which agents have worked
   */
  live: boolean;
  executions: AgentExecution[];
  tokens: number;
  cost: number;
}
export interface PipelineSent {
  status: 'started' | 'resumed';
  chatId: string;
  pipelineRunId: string;
}
export interface Plan {
  plan_id: string;
  /**
   * The plan in Temporal: its Workflow Id
   */
  workflow_id: string;
  name: string;
  state: PlanState;
  run: number;
  /**
   * A pause waits for running tasks to end
   */
  pausing: boolean;
  /**
   * What runs is being ended
   */
  stopping: boolean;
  progress: {
    done: number;
    total: number;
    percentage: number;
  };
  progress_percentage: number;
  /**
   * Which step is next or under way, from 1; of a plan that works through inputs, also for which of them
   */
  position: {
    step: number;
    steps: number;
    iteration?: number;
    iterations?: number;
  };
  current_task: string | null;
  current_tasks: string[];
  tasks: Task[];
  tasks_total: number;
  /**
   * Workflows at work for this plan: the Workflow Id of each is the plan’s `workflow_id`, a slash, and its key
   */
  children: {
    key: string;
    kind: 'plan' | 'batch' | 'segment';
    task?: string;
  }[];
  questions: Question[];
  waiting_for: WaitingFor[];
  allowed_actions: ('approve' | 'pause' | 'resume' | 'stop' | 'answer' | 'hold' | 'release')[];
  error: {
    message: string;
    code: string;
    details?: unknown;
    task?: string;
  } | null;
  deadline_at: string | null;
  /**
   * What holds the plan while it is paused, or about to be; absent otherwise
   */
  hold?: {
    reason: 'paused' | 'interrupted' | 'server_restart' | 'cost_limit' | 'provider_limit' | 'review' | 'hand';
    since: string;
    by: string;
    /**
     * Of a limit: in words, with its numbers
     */
    message?: string;
    /**
     * The limit that was reached
     */
    details?: {
      limit: 'plan' | 'chat' | 'day_tokens' | 'day_cost' | 'project' | 'provider';
      /**
       * What is settled, and what others have reserved
       */
      spent?: number;
      max?: number;
      /**
       * What the call asked for that was refused
       */
      needed?: number;
      unit?: 'tokens' | 'cost';
      /**
       * All that the call asked for, in tokens
       */
      tokens?: number;
      /**
       * The same in money
       */
      cost?: number;
      /**
       * What the provider said
       */
      message?: string;
      /**
       * When the provider’s limit is lifted, as it says
       */
      resets_at?: string;
      chat?: string;
      project?: string;
    };
  };
  /**
   * How it stands in its group, where it is in one
   */
  concurrency?: {
    group: string;
    max: number;
    /**
     * `none`: it needs none now
     */
    slot: 'held' | 'waiting' | 'none';
    /**
     * Of one that waits: 1 is next
     */
    place?: number;
    /**
     * Of one that waits: plans of the group that have a slot
     */
    running?: string[];
  };
  /**
   * The Git worktree that its commands run in, its branch, and the commit which that began from
   */
  worktree?: {
    repository: string;
    path: string;
    branch: string;
    base: string;
  };
  created_at: string;
  created_by: string;
  updated_at: string;
  seq: number;
  /**
   * The workflow code of the worker cannot go on with it, and why
   */
  stuck?: string;
  /**
   * Whether the plan itself was asked just now, or this is the last that is known of it
   */
  freshness: {
    live: boolean;
    at: string;
    message?: string;
  };
}
export interface Task {
  id: string;
  kind: string;
  status: 'pending' | 'running' | 'waiting' | 'backing_off' | 'succeeded' | 'failed' | 'skipped' | 'cancelled';
  attempt: number;
  max_attempts: number;
  needs: string[];
  outputs?: {
    [k: string]: unknown;
  };
  error?: {
    message: string;
    code: string;
    details?: unknown;
  };
  reason?: string;
  answer?: {
    choice?: string;
    values?: {
      [k: string]: unknown;
    };
    comment?: string;
    by: string;
    at: string;
  };
  hold?: {
    since: string;
    by: string;
    comment?: string;
  };
  started_at?: string;
  ended_at?: string;
  /**
   * When a wait or a back-off ends; absent while the plan is held
   */
  due_at?: string;
  /**
   * An earlier run finished it
   */
  reused?: true;
  handler?: 'on_failure' | 'on_success' | 'finally';
  /**
   * Of a map
   */
  items?: {
    total: number;
    succeeded: number;
    failed: number;
    skipped: number;
  };
  /**
   * Of the task `iterate` of a plan with `iterate`, while it is at work: which input, and which step
   */
  iteration?: {
    input: number;
    of: number;
    name: string;
    step?: number;
    steps?: number;
    /**
     * Id of the step
     */
    task?: string;
  };
  /**
   * Of one iteration: what it works on
   */
  input?: {
    input: number;
    of: number;
    name: string;
  };
  /**
   * No worker has taken it yet
   */
  queued?: true;
  last_output_at?: string;
  /**
   * When its attempt last called a model
   */
  last_llm_call_at?: string;
  /**
   * For how long nothing was written, once that is worth a look
   */
  silent_ms?: number;
}
export interface Question {
  id: string;
  task: string;
  kind: string;
  prompt: string;
  options: string[];
  /**
   * JSON Schema of the `values` to give
   */
  form?: {
    [k: string]: unknown;
  };
  opened_at: string;
  expires_at: string | null;
  overdue?: true;
}
export interface WaitingFor {
  what:
    'review' | 'resume' | 'start_time' | 'question' | 'wait' | 'back_off' | 'release' | 'slot' | 'group' | 'next_run';
  task?: string;
  since?: string;
  until?: string;
  by?: string;
  text: string;
}
export interface PlanInputs {
  /**
   * With the defaults of the plan file
   */
  inputs: {
    [k: string]: unknown;
  };
  /**
   * Names of those that somebody gave: a next run keeps them
   */
  given: string[];
}
export interface PlanList {
  plans: PlanSummary[];
  /**
   * Give it as `cursor` with the same filters; null at the end
   */
  next_cursor: string | null;
}
export interface PlanSummary {
  plan_id: string;
  name: string;
  state: PlanTag;
  /**
   * Id of whoever started its last run
   */
  owner: string;
  created_at: string;
  ended_at: string | null;
  /**
   * What started its latest run, such as `rest` or `mcp plan_resume`
   */
  trigger_source?: string;
  labels?: {
    [k: string]: string;
  };
  enrollment?: Enrollment;
}
export interface PlanTag {
  status:
    'pending_review' | 'stand_by' | 'awaiting_input' | 'executing' | 'paused' | 'completed' | 'failed' | 'stopped';
}
export interface PlasmMeta {
  /**
   * How the operation stands, and its handle
   */
  continuity?: {
    p: 'running' | 'succeeded' | 'cancelled' | 'failed';
    h: string;
  };
  op?: OperationLine;
  /**
   * Hash of what the program does
   */
  commit_id?: string;
  /**
   * Token of the dry run, of this session
   */
  plan_commit_ref?: string;
  dry_verdict?: 'ok' | 'review';
  /**
   * How often the sources would be asked; null: nobody knows
   */
  estimated_calls?: {
    least: number;
    most: number | null;
  };
  /**
   * Why it has to be reviewed
   */
  reasons?: string[];
  auto_async?: true;
  /**
   * The plan that runs it
   */
  plan_id?: string;
  /**
   * How often its sources have been asked so far, as far as its steps have noted
   */
  calls?: number;
  /**
   * Of one that runs: why it stands still, or part of it
   */
  waiting_for?: OperationWaits[];
  /**
   * It was asked to end, and has not yet
   */
  cancelling?: true;
  /**
   * Of each result: rows of this answer, from which on, of how many that are kept
   */
  results?: {
    label: string;
    rows: number;
    offset: number;
    kept: number;
    /**
     * Handle of the rows after these
     */
    page?: string;
  }[];
  [k: string]: unknown;
}
export interface Problem {
  /**
   * Names the code as a URN
   */
  type: string;
  title: string;
  status: number;
  /**
   * What is wrong, where, and what to do
   */
  detail: string;
  code:
    | 'CONFIG_INVALID'
    | 'REQUEST_MALFORMED'
    | 'USAGE'
    | 'PLAN_INVALID'
    | 'PLAN_TOO_LARGE'
    | 'PROGRAM_INVALID'
    | 'CATALOG_INVALID'
    | 'REQUEST_INVALID'
    | 'ANSWER_INVALID'
    | 'PLAN_NOT_FOUND'
    | 'TASK_NOT_FOUND'
    | 'QUESTION_NOT_FOUND'
    | 'CATALOG_NOT_FOUND'
    | 'HANDLE_NOT_FOUND'
    | 'OUTPUT_NOT_FOUND'
    | 'COMMAND_NOT_FOUND'
    | 'ROUTE_NOT_FOUND'
    | 'UNAUTHENTICATED'
    | 'PLAN_FORBIDDEN'
    | 'METHOD_NOT_ALLOWED'
    | 'PLAN_INVALID_STATE'
    | 'REQUEST_TIMEOUT'
    | 'PLAN_NOT_RESUMABLE'
    | 'PLAN_EXISTS'
    | 'SESSION_RUNNING'
    | 'SESSION_OF_OTHER_FILE'
    | 'SESSION_FILE_EDITED'
    | 'SESSION_TOO_OLD'
    | 'COST_LIMIT'
    | 'ENROLLMENT_BLOCKED'
    | 'PIPELINE_RUNNING'
    | 'REVIEW_REQUIRED'
    | 'COMMIT_UNKNOWN'
    | 'COMMIT_EXPIRED'
    | 'COMMIT_MISMATCH'
    | 'QUESTION_CLOSED'
    | 'ENGINE_RUNNING'
    | 'OUTPUT_GONE'
    | 'HANDLE_EXPIRED'
    | 'COMMAND_FORGOTTEN'
    | 'BODY_TOO_LARGE'
    | 'MEDIA_TYPE_UNSUPPORTED'
    | 'RANGE_INVALID'
    | 'EXPECTATION_FAILED'
    | 'HEADERS_TOO_LARGE'
    | 'RATE_LIMITED'
    | 'OPERATION_FAILED'
    | 'IDENTITY_UNAVAILABLE'
    | 'UPGRADE_REQUIRED'
    | 'ENGINE_UNAVAILABLE'
    | 'INTERNAL';
  /**
   * Every wrong place
   */
  errors?: {
    message: string;
    /**
     * Keys and indexes from the top
     */
    path: (string | number)[];
    line?: number;
    column?: number;
  }[];
  /**
   * The plan in the way; with `ENROLLMENT_BLOCKED`
   */
  blocked_by?: {
    plan_id: string;
    state: {
      status:
        'pending_review' | 'stand_by' | 'awaiting_input' | 'executing' | 'paused' | 'completed' | 'failed' | 'stopped';
    };
  };
  /**
   * With `COST_LIMIT`, as what follows
   */
  errorType?: 'cost_limit';
  limit?: 'plan' | 'chat' | 'day_tokens' | 'day_cost' | 'project';
  /**
   * What is spent, and reserved by calls in flight
   */
  spent?: number;
  max?: number;
  /**
   * By how much the limit would have to be raised, at least
   */
  missing?: number;
  unit?: 'tokens' | 'cost';
  /**
   * Names the request, as in the log
   */
  instance: string;
}
export interface ProgramAnswer {
  markdown: string;
  /**
   * The same
   */
  run_markdown: string;
  /**
   * It is of an operation
   */
  operation?: true;
  /**
   * Of the first result
   */
  rows?: {
    [k: string]: unknown;
  }[];
  columns?: string[];
  /**
   * Of each result, where there are several
   */
  results?: {
    label: string;
    rows: {
      [k: string]: unknown;
    }[];
    columns: string[];
  }[];
  _meta: {
    plasm: PlasmMeta;
  };
}
export interface Reset {
  type: 'PlanReset';
  at: string;
  by: string;
  message: string;
}
export interface RunPreview {
  plan_id: string;
  dry_run: true;
  /**
   * Tasks whose ending is kept
   */
  reuse: string[];
  /**
   * Tasks that run
   */
  run: string[];
  /**
   * By task, why
   */
  reasons: {
    [k: string]: string;
  };
}
export interface SessionListed {
  prompt_hash: string;
  /**
   * The name of its catalog; null where that is not there any more
   */
  catalog: string | null;
  session: string;
  /**
   * Where it is used: over HTTP and by the command line, or over MCP
   */
  surface: 'http' | 'mcp';
  /**
   * How many it has accepted; null while no worker answers for it
   */
  operations: number | null;
  last_used_at: string | null;
}
export interface Ticket {
  ticket: string;
  expires_at: string;
}
export interface Timeline {
  entries: (Event | Gap | Reset)[];
  /**
   * With `limit`: what `after` has to be for the next page
   */
  next_after?: number | null;
}
