import type { PlanEvent } from '../../plan/events.ts';
import type { JsonObject } from '../../plan/json.ts';
import { agentOf, CLASSIFY } from '../pipelines/names.ts';
import type { ReadPlan } from '../read-plan.ts';
import {
  checkpointView,
  errorTypeOf,
  executionsOf,
  isInterrupted,
  pendingCheckpoint,
  plannedAgents,
  statusOf,
  tasksShown,
} from './pipeline-run.ts';

/** What those who follow a chat are told; each payload has the chat's id and the run's. */
export const PIPELINE_EVENTS = [
  ...['pipeline_plan', 'agent_status', 'agent_error', 'pipeline_interrupted', 'pipeline_completed', 'limit_warning'],
  ...['pipeline_checkpoint', 'pipeline_checkpoint_resolved'],
] as const;

export interface PipelineEvent {
  type: string;
  payload: JsonObject;
}

/** Tells the run itself, among the agents (document 3's reference). */
const ORCHESTRATOR = 'orchestrator';

/** How a run stands, told from the beginning: its plan, and what has become of its agents so far. */
export function standingEvents(view: ReadPlan): PipelineEvent[] {
  const pending = pendingCheckpoint(view);
  const told = executionsOf(view)
    .filter(({ status }) => status !== 'pending')
    .map((execution): PipelineEvent => ({ type: 'agent_status', payload: execution as unknown as JsonObject }));
  return [
    planEvent(view),
    ...told,
    ...(pending ? [{ type: 'pipeline_checkpoint', payload: pending as unknown as JsonObject }] : []),
    ...endEvents(view),
  ];
}

/** The same in short, when work goes on: its plan, and the agents that have completed. */
export function resumedEvents(view: ReadPlan): PipelineEvent[] {
  const completed = executionsOf(view)
    .filter(({ status }) => status === 'completed')
    .map((execution): PipelineEvent => ({ type: 'agent_status', payload: execution as unknown as JsonObject }));
  return [planEvent(view), ...completed, orchestrator('running')];
}

const planEvent = (view: ReadPlan): PipelineEvent => ({
  type: 'pipeline_plan',
  payload: { agents: plannedAgents(view), status: statusOf(view) },
});
const orchestrator = (status: string): PipelineEvent => ({
  type: 'agent_status',
  payload: { agentName: ORCHESTRATOR, status },
});

function endEvents(view: ReadPlan): PipelineEvent[] {
  if (isInterrupted(view)) return interruptedEvents(view);
  if (view.state.status === 'completed')
    return [orchestrator('completed'), { type: 'pipeline_completed', payload: { status: 'completed' } }];
  if (view.state.status === 'failed') return [failed(view.error?.message ?? 'it failed'), orchestrator('failed')];
  return view.state.status === 'stopped' ? [orchestrator('stopped')] : [];
}

const failed = (error: string): PipelineEvent => ({
  type: 'agent_error',
  payload: { agentName: ORCHESTRATOR, error, errorType: null },
});

function interruptedEvents(view: ReadPlan): PipelineEvent[] {
  const reason = errorTypeOf(view);
  const executions = executionsOf(view);
  const names = (wanted: (status: string) => boolean) =>
    executions.filter(({ status }) => wanted(status)).map(({ agentName }) => agentName);
  const { spent, max } = (view.hold?.details ?? {}) as { spent?: number; max?: number };
  return [
    {
      type: 'pipeline_interrupted',
      payload: {
        reason,
        message: view.hold?.message ?? null,
        completedAgents: names((status) => status === 'completed'),
        skippedAgents: names((status) => status !== 'completed' && status !== 'skipped'),
        ...(spent !== undefined && max !== undefined && { tokens: { current: spent, limit: max } }),
      },
    },
    orchestrator('paused'),
  ];
}

/** What an event of the plan means to its chat; `read` gives the view after it, for those that need one. */
export async function eventsFor(event: PlanEvent, read: () => Promise<ReadPlan>): Promise<PipelineEvent[]> {
  const { type, task, attempt } = event;
  const agentName = (task && agentOf(task)?.agentName) ?? ORCHESTRATOR;
  const agent = async (status: string): Promise<PipelineEvent> => {
    const told = (await shown(agentName, read)) ?? { agentName };
    return { type: 'agent_status', payload: { ...told, status, ...(attempt !== undefined && { attempt }) } };
  };
  const brief = (status: string): PipelineEvent => ({
    type: 'agent_status',
    payload: { agentName, status, startedAt: event.at, ...(attempt !== undefined && { attempt }) },
  });
  switch (type) {
    case 'TaskStarted':
      return [brief('running')];
    case 'TaskSucceeded':
      return [await agent('completed'), ...(task === CLASSIFY ? [planEvent(await read())] : [])];
    case 'TaskReused':
      return [await agent('completed')];
    case 'TaskFailed':
      return [errorEvent(event, agentName), await agent('failed')];
    case 'TaskRetried':
      return [errorEvent(event, agentName), brief('retrying')];
    case 'TaskSkipped':
      return isOfRun(task, await read()) ? [await agent('skipped')] : [];
    case 'TaskCancelled':
      return [brief('stopped')];
    case 'QuestionOpened': {
      const question = (await read()).questions.find(({ id }) => id === event.question);
      return question
        ? [{ type: 'pipeline_checkpoint', payload: checkpointView(question) as unknown as JsonObject }]
        : [];
    }
    case 'QuestionAnswered':
    case 'QuestionTimedOut':
      return [
        {
          type: 'pipeline_checkpoint_resolved',
          payload: {
            checkpointId: event.question ?? '',
            agentName,
            option: event.message ?? null,
            timedOut: type === 'QuestionTimedOut',
          },
        },
      ];
    case 'PlanPaused':
      return limitError(event);
    case 'PlanResumed':
      return resumedEvents(await read());
    case 'PlanStateChanged':
    case 'PlanCompleted':
    case 'PlanFailed':
    case 'PlanStopped':
      return event.state ? await stateEvents(event.state.status, read) : [];
    default:
      return [];
  }
}

async function shown(agentName: string, read: () => Promise<ReadPlan>): Promise<JsonObject | undefined> {
  const found = executionsOf(await read()).find((execution) => execution.agentName === agentName);
  return found as unknown as JsonObject | undefined;
}

/** Agents of other intents have the same names. */
const isOfRun = (id: string | undefined, view: ReadPlan): boolean =>
  tasksShown(view).some(({ task }) => task.id === id);

async function stateEvents(status: string, read: () => Promise<ReadPlan>): Promise<PipelineEvent[]> {
  const isTold = ['paused', 'completed', 'failed', 'stopped'].includes(status);
  if (!isTold) return [];
  const view = await read();
  // It may have gone on since.
  return view.state.status === status ? endEvents(view) : [];
}

/** At a limit the error comes first, then that the pipeline is interrupted (document 3). */
function limitError({ details, message = '' }: PlanEvent): PipelineEvent[] {
  const limit = typeof details === 'object' && details !== null && 'limit' in details ? details.limit : undefined;
  if (typeof limit !== 'string') return [];
  const errorType = limit === 'provider' ? 'provider_limit' : 'cost_limit';
  return [{ type: 'agent_error', payload: { agentName: ORCHESTRATOR, error: message, errorType } }];
}

function errorEvent({ message = 'it failed', error, details }: PlanEvent, agentName: string): PipelineEvent {
  const from = error?.details ?? details;
  const code = typeof from === 'object' && from !== null && 'code' in from ? from.code : undefined;
  return {
    type: 'agent_error',
    payload: { agentName, error: error?.message ?? message, errorType: typeof code === 'string' ? code : null },
  };
}
