import type { CommandName } from '../plan/lifecycle.ts';
import type { RunMode } from '../plan/reuse.ts';

/** The names by which client and workflow know each other. Recorded histories hold them: never rename one. */
export const PLAN_WORKFLOW = 'plan';
/** Children of a plan: what a sub-plan runs as, and batches and segments. */
export const SUBPLAN_WORKFLOW = 'subplan';
export const SEGMENT_WORKFLOW = 'segment';
/** Who of a group of plans has a slot, and who waits for one. */
export const GROUP_WORKFLOW = 'group';
/** What the calls of models of one organisation come to. */
export const LEDGER_WORKFLOW = 'ledger';
export const PROBE_WORKFLOW = 'probe';
/** The messages of one chat. */
export const CHAT_WORKFLOW = 'chat';
/** To a chat: somebody said something. */
export const CHAT_SAID = 'chat_said';
/** A catalog, which is its argument. */
export const CATALOG_WORKFLOW = 'catalog';
/** What a session of programs has given handles for. */
export const EXECUTE_WORKFLOW = 'execute';
/** To it: an operation was accepted, a dry run made, rows are left for another page, somebody uses it. */
export const EXECUTE_SIGNALS = {
  accept: 'execute_accept',
  commit: 'execute_commit',
  page: 'execute_page',
  touch: 'execute_touch',
} as const;
/** Which handles something has; what is behind one; and the operations, newest first. */
export const EXECUTE_QUERIES = { given: 'execute_given', find: 'execute_find', list: 'execute_list' } as const;

/** Signals carry the names of the commands. */
export const SIGNALS = [
  'approve',
  'pause',
  'resume',
  'stop',
  'answer',
  'hold',
  'release',
] as const satisfies readonly CommandName[];

/** From a child to its parent. */
export const CHILD_TOLD = 'child_told';

/** From a plan to its group: it asks for a slot, it gives one back. And from the group to the plan. */
export const SLOT_ASKED = 'slot_asked';
export const SLOT_GIVEN_BACK = 'slot_given_back';
export const SLOT_GIVEN = 'slot_given';

/** To the ledger: reservations and settlements, limits of the organisation, and the budget of a plan. */
export const LEDGER_ENTRIES = 'ledger_entries';
/** The same as an Update: answered with what became of the reservations. */
export const LEDGER_TOLD = 'ledger_told';
export const LEDGER_LIMITS_SET = 'ledger_limits';
export const LEDGER_BUDGET = 'ledger_budget';
/** What became of reservations, whether one would pass now, and what is spent. */
export const LEDGER_QUERIES = {
  outcomes: 'ledger_outcomes',
  check: 'ledger_check',
  view: 'ledger_view',
} as const;

export const QUERIES = {
  status: 'status',
  currentTask: 'current_task',
  controlOutcome: 'control_outcome',
  events: 'events',
  /** What it would leave if it ended now: asked of runs that were ended from outside. */
  standing: 'standing',
  line: 'line',
  messages: 'messages',
  ping: 'ping',
} as const;

export const LOAD_PREDECESSOR = 'load_predecessor';
export const ASK_FOR_SLOT = 'ask_for_slot';
export const LOOK_AT_HOLDERS = 'look_at_holders';
/** What is computed for the workflow outside it. */
export const ASIDES = {
  evaluate: 'evaluate',
  expand: 'expand',
  collect: 'collect',
  store: 'store',
  load: 'load',
} as const;

/** Closing failures of a plan; the snapshot for its next run is their detail. */
export const PLAN_FAILED = 'PlanFailed';
export const PLAN_STOPPED = 'PlanStopped';
/** Failures of attempts. */
export const TASK_FAILED = 'TaskFailed';
/** As it is said in the plan, it cannot be done. */
export const TASK_INVALID = 'TaskInvalid';
/** It would only fail again. */
export const TASK_HOPELESS = 'TaskHopeless';
/** A limit of tokens or money was reached, ours or the provider's. */
export const LIMIT_REACHED = 'LimitReached';
export const TASK_TIMED_OUT = 'TaskTimedOut';
export const WORKER_LOST = 'WorkerLost';

/** The Task Queue that engines poll, for workflows and for the tasks of plans that a server runs. */
export const ENGINE_QUEUE = 'holdpoint';

/** Always built from the caller's own organisation: another's plan is not found by construction. */
export const workflowId = (orgId: string, planId: string): string => `plan/${orgId}/${planId}`;
/** A group is its organisation's own, too; its name has no slash. */
export const groupId = (orgId: string, group: string): string => `group/${orgId}/${group}`;
export const chatWorkflowId = (orgId: string, chatId: string): string => `chat/${orgId}/${chatId}`;
/** Hash and surface have no slash: what follows them is the session's name. */
export const executeId = (orgId: string, hash: string, surface: string, name: string): string =>
  `execute/${orgId}/${hash}/${surface}/${name}`;
export const catalogId = (orgId: string, hash: string): string => `catalog/${orgId}/${hash}`;
export const ledgerId = (orgId: string): string => `ledger/${orgId}`;
export const probeId = 'holdpoint/probe';

export const childId = (parent: string, key: string): string => `${parent}/${key}`;

export const activityId = (task: string, attempt: number, dispatch: number): string => `${task}#${attempt}.${dispatch}`;

export const LOCAL_ORG = 'local';

export type { CommandName, RunMode };
