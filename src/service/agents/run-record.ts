import { isTerminal } from '../../plan/lifecycle.ts';
import { type Caller, mustHave } from '../caller.ts';
import type { ReadPlan } from '../read-plan.ts';
import { chatKey } from './chat-id.ts';
import { findRun } from './find-run.ts';
import { newestRun } from './newest-run.ts';
import type { AgentsParts } from './parts.ts';
import {
  classificationOf,
  type ErrorType,
  type Execution,
  errorTypeOf,
  executionsOf,
  isAtWork,
  isInterrupted,
  msOf,
  type PendingCheckpoint,
  pendingCheckpoint,
  plannedAgents,
  type RunStatus,
  statusOf,
} from './pipeline-run.ts';

/** A pipeline run by document 3's columns. Times are ms since the epoch. */
export interface RunRecord {
  id: string;
  chat_id: string;
  project_id: string | null;
  /** Null until the message has been classified. */
  intent: string | null;
  scope: string | null;
  user_message: string;
  planned_agents: string[];
  status: RunStatus;
  checkpoint_data: PendingCheckpoint | null;
  started_at: number;
  completed_at: number | null;
  errorType: ErrorType | null;
  /** What holds it, or why it failed, in words. */
  message: string | null;
  /** Somebody stopped it: it is no longer found as interrupted. */
  dismissed: boolean;
  /** See `ChatStatus`. */
  live: boolean;
  executions: Execution[];
  tokens: number;
  cost: number;
}

export async function readRun(
  { client, read, givenInputs, ledger }: AgentsParts,
  caller: Caller,
  id: string,
): Promise<RunRecord> {
  mustHave(caller, 'plan:read');
  const { plan_id, pipeline } = await findRun(client, caller, id);
  const [view, { inputs }, spent] = await Promise.all([
    read(caller, plan_id),
    givenInputs(caller, plan_id),
    spentOf(ledger, caller, plan_id),
  ]);
  const executions = executionsOf(view);
  return {
    id: plan_id,
    chat_id: pipeline.chat_id,
    project_id: pipeline.project_id ?? null,
    ...classificationOf(view),
    user_message: String(inputs.message ?? ''),
    planned_agents: plannedAgents(view),
    status: statusOf(view),
    checkpoint_data: pendingCheckpoint(view),
    started_at: Date.parse(view.created_at),
    completed_at: isAtWork(view) || isInterrupted(view) ? null : msOf(view.updated_at),
    errorType: errorTypeOf(view),
    message: view.error?.message ?? view.hold?.message ?? null,
    dismissed: view.state.status === 'stopped',
    live: isLive(view),
    executions,
    ...usageOf(executions, spent),
  };
}

export interface ChatStatus {
  chatId: string;
  running: boolean;
  pendingCheckpoint: PendingCheckpoint | null;
  /** Of the chat's newest run. */
  executions: Execution[];
  interruptedPipelineId: string | null;
  pipelineRunId: string | null;
  status: RunStatus | null;
  errorType: ErrorType | null;
  message: string | null;
  planned_agents: string[];
  /** False while no worker answers, as after a restart: then only the status is known, and not why it is so. */
  live: boolean;
  tokens: number;
  cost: number;
}

/** How a chat stands; one that nobody knows is not running, and has nothing. */
export async function chatStatus(
  { client, read, ledger }: AgentsParts,
  caller: Caller,
  chatId: string,
): Promise<ChatStatus> {
  mustHave(caller, 'plan:read');
  const newest = await newestRun(client, caller.principal.org_id, chatKey(chatId));
  if (!newest) return statusFrom(chatId, undefined);
  const { plan_id } = newest;
  const [view, spent] = await Promise.all([read(caller, plan_id), spentOf(ledger, caller, plan_id)]);
  return statusFrom(chatId, view, spent);
}

/** `spent`: what the ledger has counted of the run. */
export function statusFrom(chatId: string, view: ReadPlan | undefined, spent = NOTHING): ChatStatus {
  const executions = view ? executionsOf(view) : [];
  return {
    chatId,
    running: view !== undefined && isAtWork(view),
    pendingCheckpoint: view ? pendingCheckpoint(view) : null,
    executions,
    interruptedPipelineId: view && isInterrupted(view) ? view.plan_id : null,
    pipelineRunId: view?.plan_id ?? null,
    status: view ? statusOf(view) : null,
    errorType: view ? errorTypeOf(view) : null,
    message: view ? (view.error?.message ?? view.hold?.message ?? null) : null,
    planned_agents: view ? plannedAgents(view) : [],
    live: !view || isLive(view),
    ...usageOf(executions, spent),
  };
}

const isLive = ({ freshness, state }: ReadPlan): boolean => freshness.live || isTerminal(state.status);

type Usage = Pick<Execution, 'tokens' | 'cost'>;
const NOTHING: Usage = { tokens: 0, cost: 0 };

/** What the ledger has counted of a run: attempts that failed are in it, too. */
async function spentOf(ledger: AgentsParts['ledger'], caller: Caller, plan: string): Promise<Usage> {
  const view = await ledger(caller, { plan }).catch(() => undefined);
  return view?.plan ?? NOTHING;
}

/** Of a run that the ledger has forgotten, or cannot be asked about, what its agents came to. */
const usageOf = (executions: Execution[], { tokens, cost }: Usage): Usage => ({
  tokens: Math.max(tokens, sum(executions.map((one) => one.tokens))),
  cost: Math.max(cost, sum(executions.map((one) => one.cost))),
});
const sum = (numbers: number[]): number => numbers.reduce((a, b) => a + b, 0);
