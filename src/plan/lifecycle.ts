/** Plan states and commands as data: the workflow, every surface and every button read these tables (document 1). */

export const PLAN_STATUSES = [
  'pending_review',
  'stand_by',
  'awaiting_input',
  'executing',
  'paused',
  'completed',
  'failed',
  'stopped',
] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];

/** As serialised: a tag alone, but for `stand_by`, which says when it goes on (ISO 8601). */
export type PlanStateView =
  | { status: Exclude<PlanStatus, 'stand_by'> }
  | { status: 'stand_by'; next_execution_at: string };

export const TERMINAL_STATUSES = ['completed', 'failed', 'stopped'] as const satisfies readonly PlanStatus[];
export const ACTIVE_STATUSES = [
  'pending_review',
  'stand_by',
  'awaiting_input',
  'executing',
  'paused',
] as const satisfies readonly PlanStatus[];

/** Nothing more happens in a plan in one of these before somebody does something. */
export const NEEDS_ATTENTION = [
  'pending_review',
  'awaiting_input',
  'paused',
  'failed',
] as const satisfies readonly PlanStatus[];

export const isTerminal = (status: PlanStatus): boolean =>
  (TERMINAL_STATUSES as readonly PlanStatus[]).includes(status);

interface Command {
  from: readonly PlanStatus[];
  /** Also possible while a pause waits for running attempts to finish. */
  whilePausing?: true;
  /** What people read when it is refused: "cannot <verb> …". */
  verb: string;
}

export const COMMANDS = {
  approve: { from: ACTIVE_STATUSES, whilePausing: true, verb: 'approve' },
  pause: { from: ['stand_by', 'awaiting_input', 'executing'], verb: 'pause' },
  resume: { from: ['paused'], whilePausing: true, verb: 'resume' },
  stop: { from: ACTIVE_STATUSES, whilePausing: true, verb: 'stop' },
  answer: { from: ACTIVE_STATUSES, whilePausing: true, verb: 'answer a question of' },
  hold: { from: ACTIVE_STATUSES, whilePausing: true, verb: 'hold a task of' },
  release: { from: ACTIVE_STATUSES, whilePausing: true, verb: 'release a task of' },
} as const satisfies Record<string, Command>;

export type CommandName = keyof typeof COMMANDS;
export const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[];

/** What a command is refused with; each is a row of the fault table. */
export type RefusalCode =
  | 'PLAN_INVALID_STATE'
  | 'TASK_NOT_FOUND'
  | 'QUESTION_NOT_FOUND'
  | 'QUESTION_CLOSED'
  | 'ANSWER_INVALID'
  | 'REQUEST_INVALID';

export interface Situation {
  status: PlanStatus;
  pausing: boolean;
  stopping: boolean;
}

/** Whether the table allows a command; while a plan is being stopped nothing more is taken. */
export function allows(name: CommandName, { status, pausing, stopping }: Situation): boolean {
  if (stopping) return false;
  const command: Command = COMMANDS[name];
  if (pausing) return command.whilePausing === true;
  return command.from.includes(status);
}
