import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import type { ArtifactStore } from '../activities/artifact-store.ts';
import type { AttemptLog, LogFilter, LogStore } from '../activities/logs/log-store.ts';
import type { RowStore } from '../activities/program/row-store.ts';
import { workflowId } from '../contract/names.ts';
import type { Place } from '../contract/payloads.ts';
import type { PlanDefinition } from '../plan/definition.ts';
import type { PlanEvent } from '../plan/events.ts';
import type { BudgetChange, Limits } from '../plan/ledger.ts';
import type { CommandName } from '../plan/lifecycle.ts';
import type { PipelineSettings } from './agents/parts.ts';
import { type AgentService, agentService } from './agents.ts';
import { type Artifact, type ArtifactFile, findArtifact, listArtifacts } from './artifacts.ts';
import { type Bundle, planBundle } from './bundle.ts';
import { type Bus, localBus } from './bus.ts';
import type { Caller } from './caller.ts';
import { type CommandAnswer, type CommandRequest, commandOutcome, commandPlan } from './control-plan.ts';
import { type Created, type CreateRequest, createPlan } from './create-plan.ts';
import { withDeadlines } from './deadlines.ts';
import type { DryRun } from './dry-run.ts';
import { EXECUTION, type ExecutionSettings } from './execute/parts.ts';
import { type ExecuteService, executeService } from './execute.ts';
import { type FollowRequest, followLogs, type LogNews } from './follow-logs.ts';
import { type Followed, followPlan, planEvents, readTimeline, subscribeChanges } from './follow-plan.ts';
import { type GivenFile, type GivenInputs, readGivenFile, readGivenInputs } from './given.ts';
import type { FollowRequest as EventsFrom } from './hub/follow.ts';
import type { StateChange } from './hub/organisation.ts';
import { createHub } from './hub.ts';
import {
  type BudgetView,
  type LimitsView,
  mustBeWithinLimits,
  readBudget,
  readLedger,
  readLimits,
  setBudget,
  setLimits,
} from './limits.ts';
import { type ListRequest, listPlans, type PlanList } from './list-plans.ts';
import { type LogRequest, listLogs, type OpenLog, openLog } from './logs.ts';
import { type RunPreview, type RunRequest, type RunStarted, startNextRun } from './next-run.ts';
import { type Output, readOutput } from './output.ts';
import { planReader } from './plan-reader.ts';
import { planStatuses } from './plan-statuses.ts';
import { ask } from './queries.ts';
import { readDefinition } from './read-definition.ts';
import { type ReadPlan, readPlan, readView } from './read-plan.ts';
import { workerAnswers } from './readiness.ts';
import { removeSession, type SessionRemoved } from './remove-session.ts';
import { findSession, listSessions, type Session } from './sessions.ts';
import { readStory, type StoryRequest } from './story.ts';
import type { Timeline } from './timeline.ts';
import { type ValidateRequest, validatePlan } from './validate-plan.ts';

/** The one application service that every surface calls: a method per use case, each with its caller; throws only `Fault`. */
export interface PlanService {
  create(caller: Caller, request: CreateRequest): Promise<Created>;
  /** What a plan would do; nothing is made. */
  validate(caller: Caller, request: ValidateRequest): Promise<DryRun>;
  read(caller: Caller, planId: string): Promise<ReadPlan>;
  /** The plan file of its latest run, checked and made plain. */
  definition(caller: Caller, planId: string): Promise<PlanDefinition>;
  /** The same as its text, and the inputs it was read with. */
  givenFile(caller: Caller, planId: string): Promise<GivenFile>;
  givenInputs(caller: Caller, planId: string): Promise<GivenInputs>;
  list(caller: Caller, request?: ListRequest): Promise<PlanList>;
  /** Pause, resume, stop, approve, answer, hold, release. */
  command(caller: Caller, planId: string, name: CommandName, request?: CommandRequest): Promise<CommandAnswer>;
  outcome(caller: Caller, planId: string, requestId: string): Promise<CommandAnswer>;
  /** Events after a `seq`, in order and without gaps, over all runs. */
  events(caller: Caller, planId: string, afterSeq: number): Promise<PlanEvent[]>;
  /** The same, page by page where it is long, and with what Temporal did to the plan and what retention has removed. */
  timeline(caller: Caller, planId: string, request: StoryRequest): Promise<Timeline>;
  /** Events as they come. */
  follow(caller: Caller, planId: string, after: EventsFrom['after']): Promise<Followed>;
  /** Every change of state of the caller's organisation from now on; gives what ends it. */
  subscribe(caller: Caller, listener: (change: StateChange) => void): () => void;
  /** The next run of a plan that failed or was stopped; of a dry run, what it would do. */
  nextRun(caller: Caller, planId: string, request: RunRequest): Promise<RunStarted | RunPreview>;
  /** What there is of what attempts wrote, in the order in which they began. */
  logs(caller: Caller, planId: string, filter?: LogFilter): Promise<AttemptLog[]>;
  /** One of them, for reading; undefined when the task has left none. */
  openLog(caller: Caller, planId: string, request: LogRequest): Promise<OpenLog | undefined>;
  /** What tasks write, as they write it. */
  followLogs(caller: Caller, planId: string, request: FollowRequest): AsyncGenerator<LogNews, void>;
  /** What of a plan's outputs is kept outside it. */
  artifacts(caller: Caller, planId: string): Promise<Artifact[]>;
  artifact(caller: Caller, planId: string, sha256: string): Promise<ArtifactFile>;
  /** One output of a task, whole. */
  output(caller: Caller, planId: string, task: string, name: string): Promise<Output>;
  /** All that there is of a plan, as one zip. */
  bundle(caller: Caller, planId: string): Promise<Bundle>;
  /** Plans that command lines started, newest first; all, or all but those that completed. */
  sessions(caller: Caller, which?: 'unfinished'): Promise<Session[]>;
  /** One of them, by its id or its plan's. */
  session(caller: Caller, id: string): Promise<Session>;
  /** Removes one that is over, and all that is kept of it. */
  removeSession(caller: Caller, planId: string): Promise<SessionRemoved>;
  /** What the organisation may spend on models, and has spent today. */
  limits(caller: Caller, of?: { chat?: string | undefined; project?: string | undefined }): Promise<LimitsView>;
  setLimits(caller: Caller, limits: Partial<Limits>): Promise<LimitsView>;
  /** What a plan may spend, and has spent. */
  budget(caller: Caller, planId: string): Promise<BudgetView>;
  setBudget(caller: Caller, planId: string, budget: BudgetChange): Promise<BudgetView>;
  /** Whether a worker answers. */
  ready(): Promise<boolean>;
  /** Chats and their pipelines of agents. */
  agents: AgentService;
  /** Programs over catalogs, and their operations. */
  execute: ExecuteService;
}

/** What is kept outside Temporal. */
export interface Stores {
  logs: LogStore;
  artifacts: ArtifactStore;
  /** What programs read. */
  rows: RowStore;
  /** Where the files of a plan are. */
  planFolder(planId: string): string;
  /** Where the Git worktrees of plans are. */
  worktrees: string;
}

/** How pipelines of agents are made, and where what they run is run. */
export interface Pipelines extends PipelineSettings {
  place: Place;
}
const SHIPPED: Pipelines = {
  own: undefined,
  shipped: join(import.meta.dirname, '..', '..', 'pipelines'),
  buildCommand: undefined,
  place: { env: {} },
};

/** Without a bus nothing hints that a plan has moved: whoever follows one is told a second later. */
export function createService(
  connected: Client,
  stores: Stores,
  hints?: Bus,
  { place, ...settings }: Pipelines = SHIPPED,
  execution: Partial<ExecutionSettings> = {},
): PlanService {
  const { logs, artifacts } = stores;
  const client = withDeadlines(connected);
  const hub = createHub(
    {
      story: ({ org_id, plan_id }, request) => readStory(client, { id: workflowId(org_id, plan_id), plan_id }, request),
      view: (plan) => readView(client, plan),
      statuses: (orgId) => planStatuses(client, orgId),
    },
    hints,
  );
  const reader = planReader();
  const plans: Omit<PlanService, 'agents' | 'execute'> = {
    create: (caller, request) => createPlan(client, { stores, reader }, caller, request),
    validate: (caller, request) => validatePlan(reader, caller, request),
    read: (caller, planId) => readPlan(client, caller, planId),
    definition: (caller, planId) => readDefinition(client, caller, planId),
    givenFile: (caller, planId) => readGivenFile(client, caller, planId),
    givenInputs: (caller, planId) => readGivenInputs(client, caller, planId),
    list: (caller, request) => listPlans(client, caller, request),
    command: (caller, planId, name, request) => commandPlan(client, caller, planId, name, request),
    outcome: (caller, planId, requestId) => commandOutcome(client, caller, planId, requestId),
    events: (caller, planId, afterSeq) => planEvents(client, caller, planId, afterSeq),
    timeline: (caller, planId, request) => readTimeline(client, caller, planId, request),
    follow: (caller, planId, after) => followPlan(client, hub, caller, planId, after),
    subscribe: (caller, listener) => subscribeChanges(hub, caller, listener),
    nextRun: (caller, planId, request) => startNextRun(client, { stores, reader }, caller, planId, request),
    logs: (caller, planId, filter) => listLogs(client, logs, caller, planId, filter),
    openLog: (caller, planId, request) => openLog(client, logs, caller, planId, request),
    followLogs: (caller, planId, request) => followLogs(client, logs, caller, planId, request),
    artifacts: (caller, planId) => listArtifacts(client, artifacts, caller, planId),
    artifact: (caller, planId, sha256) => findArtifact(client, artifacts, caller, planId, sha256),
    output: (caller, planId, task, name) => readOutput(client, artifacts, caller, planId, task, name),
    bundle: (caller, planId) => planBundle(client, stores, caller, planId),
    sessions: (caller, which) => listSessions(client, caller, which),
    session: (caller, id) => findSession(client, caller, id),
    removeSession: (caller, planId) => removeSession(client, stores, caller, planId),
    limits: (caller, of) => readLimits(client, caller, of),
    setLimits: (caller, limits) => setLimits(client, caller, limits),
    budget: (caller, planId) => readBudget(client, caller, planId),
    setBudget: (caller, planId, budget) => setBudget(client, caller, planId, budget),
    ready: () => workerAnswers(client),
  };
  const agents = agentService({
    ...plans,
    client,
    settings,
    place,
    mayGoOn: (caller, view) => mustBeWithinLimits(client, caller, view),
    ledger: (caller, seen) => readLedger(client, caller, seen, ask),
  });
  const execute = executeService({
    ...plans,
    client,
    connected,
    stores,
    reader,
    bus: hints ?? localBus(),
    settings: { ...EXECUTION, ...execution },
  });
  return { ...plans, agents, execute };
}
