import type { Json, JsonObject } from '../../plan/json.ts';
import { isTerminal, type PlanStatus } from '../../plan/lifecycle.ts';
import type { TaskStatus } from '../../plan/state.ts';
import type { QuestionView, TaskView } from '../../plan/view.ts';
import { agentOf, CLASSIFY, INTENTS, type Intent, RESEARCH, type TemplateName } from '../pipelines/names.ts';
import type { ReadPlan } from '../read-plan.ts';

export const RUN_STATUSES = ['running', 'completed', 'failed', 'interrupted', 'awaiting_checkpoint'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** What document 3 calls the states of a plan that is a pipeline. */
const RUN_STATUS: Record<PlanStatus, RunStatus> = {
  pending_review: 'running',
  stand_by: 'running',
  executing: 'running',
  awaiting_input: 'awaiting_checkpoint',
  paused: 'interrupted',
  completed: 'completed',
  failed: 'failed',
  stopped: 'interrupted',
};

/** Why it is interrupted; null when somebody paused or dismissed it. */
export const ERROR_TYPES = ['cost_limit', 'provider_limit', 'server_restart'] as const;
export type ErrorType = (typeof ERROR_TYPES)[number];
const ERROR_TYPE: Record<string, ErrorType> = {
  cost_limit: 'cost_limit',
  provider_limit: 'provider_limit',
  server_restart: 'server_restart',
  interrupted: 'server_restart',
};

export const EXECUTION_STATUSES = [
  ...['pending', 'running', 'waiting', 'retrying', 'completed', 'failed', 'skipped', 'stopped'],
] as const;
const EXECUTION_STATUS: Record<TaskStatus, string> = {
  pending: 'pending',
  running: 'running',
  waiting: 'waiting',
  backing_off: 'retrying',
  succeeded: 'completed',
  failed: 'failed',
  skipped: 'skipped',
  cancelled: 'stopped',
};

/** One agent, or one other task of a pipeline. Times are ms since the epoch. */
export interface Execution {
  agentName: string;
  status: string;
  startedAt: number | null;
  completedAt: number | null;
  /** Of the attempt that succeeded. */
  tokens: number;
  cost: number;
  attempt: number;
  output?: { content: string; json?: Json; truncated?: true };
  /** Why it failed, or was skipped. */
  error?: string;
  reason?: string;
}

export interface PendingCheckpoint {
  checkpointId: string;
  agentName: string;
  message: string;
  options: string[];
  form?: JsonObject;
  openedAt: number;
  /** When the first option is taken without an answer. */
  expiresAt: number | null;
}

export const statusOf = ({ state }: Pick<ReadPlan, 'state'>): RunStatus => RUN_STATUS[state.status];

/** An interrupted pipeline that can go on; one that was stopped has been dismissed. */
export const isInterrupted = ({ state }: Pick<ReadPlan, 'state'>): boolean => state.status === 'paused';
export const isAtWork = (view: Pick<ReadPlan, 'state'>): boolean =>
  !isTerminal(view.state.status) && !isInterrupted(view);

export function errorTypeOf(view: ReadPlan): ErrorType | null {
  return (isInterrupted(view) && view.hold && ERROR_TYPE[view.hold.reason]) || null;
}

export interface Classification {
  intent: Intent | null;
  scope: string | null;
}

/** What the message was found to be for; nulls before that. */
export function classificationOf({ tasks }: Pick<ReadPlan, 'tasks'>): Classification {
  const outputs = tasks.find(({ id }) => id === CLASSIFY)?.outputs as { json?: Partial<Classification> } | undefined;
  const { intent, scope } = outputs?.json ?? {};
  return {
    intent: INTENTS.find((known) => known === intent) ?? null,
    scope: typeof scope === 'string' ? scope : null,
  };
}

/** Document 3: nothing is worth keeping of a build whose research has not completed, nor of what nobody has classified. */
export function mayResume(view: ReadPlan): boolean {
  const { intent } = classificationOf(view);
  const research = view.tasks.find(({ id }) => id === RESEARCH);
  return intent !== null && (intent !== 'build' || !research || research.status === 'succeeded');
}

/** The agents of the intent, in order, but for those that were left out. */
export function plannedAgents(view: ReadPlan): string[] {
  const { intent } = classificationOf(view);
  return view.tasks.flatMap((task) => {
    const agent = agentOf(task.id);
    return agent?.template === intent && task.kind === 'llm' && task.status !== 'skipped' ? [agent.agentName] : [];
  });
}

/** What there is to see of a run: the classification, the tasks of its intent, and the finish. */
export function executionsOf(view: ReadPlan): Execution[] {
  return tasksShown(view).map(({ task, agentName }) => execution(task, agentName));
}

export function tasksShown(view: ReadPlan): { task: TaskView; agentName: string; template: TemplateName }[] {
  const { intent } = classificationOf(view);
  const shown: readonly TemplateName[] = intent ? [CLASSIFY, intent, ...FINISHED[intent]] : [CLASSIFY];
  return view.tasks.flatMap((task) => {
    const agent = agentOf(task.id);
    return agent && shown.includes(agent.template) ? [{ task, ...agent }] : [];
  });
}
const FINISHED: Record<Intent, readonly TemplateName[]> = { build: ['finish'], fix: ['finish'], question: [] };

function execution(task: TaskView, agentName: string): Execution {
  const { usage } = (task.outputs ?? {}) as { usage?: { total_tokens?: number; cost?: number } };
  const output = outputOf(task.outputs as JsonObject | undefined);
  return {
    agentName,
    status: EXECUTION_STATUS[task.status],
    startedAt: msOf(task.started_at),
    completedAt: msOf(task.ended_at),
    tokens: usage?.total_tokens ?? 0,
    cost: usage?.cost ?? 0,
    attempt: task.attempt,
    ...(output && { output }),
    ...(task.error && { error: task.error.message }),
    ...(task.reason !== undefined && { reason: task.reason }),
  };
}

/** A long text is kept outside the plan; its beginning is here. */
function outputOf(outputs: JsonObject | undefined): Execution['output'] {
  const text = outputs?.text ?? outputs?.stdout;
  if (text === undefined) return undefined;
  const stored = storedIn(text);
  const json = outputs?.json;
  return {
    content: typeof text === 'string' ? text : (stored?.head ?? ''),
    ...(json !== undefined && !storedIn(json) && { json }),
    ...(stored && { truncated: true as const }),
  };
}

const storedIn = (value: Json): { head?: string } | undefined =>
  typeof value === 'object' && value !== null && '$stored' in value ? (value.$stored as { head?: string }) : undefined;

/** What waits for an answer. */
export function pendingCheckpoint({ questions }: Pick<ReadPlan, 'questions'>): PendingCheckpoint | null {
  const [first] = questions;
  return first ? checkpointView(first) : null;
}

export function checkpointView({ id, task, prompt, options, form, opened_at, expires_at }: QuestionView) {
  return {
    checkpointId: id,
    agentName: agentOf(task)?.agentName ?? task,
    message: prompt,
    options,
    ...(form && { form }),
    openedAt: Date.parse(opened_at),
    expiresAt: msOf(expires_at),
  };
}

export const msOf = (time: string | null | undefined): number | null => (time ? Date.parse(time) : null);

/** The task whose answer is the run's: the summary, or the last agent that answered. */
export function lastAnswer(view: ReadPlan): TaskView | undefined {
  return tasksShown(view)
    .map(({ task }) => task)
    .findLast(({ kind, status }) => kind === 'llm' && status === 'succeeded');
}
