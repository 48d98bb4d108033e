import type { Client } from '@temporalio/client';
import { workflowId } from '../contract/names.ts';
import type { PlanEvent } from '../plan/events.ts';
import type { CommandName } from '../plan/lifecycle.ts';
import { type Bus, localBus } from './bus.ts';
import type { Caller } from './caller.ts';
import { type CommandAnswer, type CommandRequest, commandOutcome, commandPlan } from './control-plan.ts';
import { type Created, type CreateRequest, createPlan } from './create-plan.ts';
import { type Followed, followPlan, planEvents, readTimeline, subscribeChanges } from './follow-plan.ts';
import type { FollowRequest } from './hub/follow.ts';
import type { StateChange } from './hub/organisation.ts';
import { createHub } from './hub.ts';
import { type ListRequest, listPlans, type PlanList } from './list-plans.ts';
import { type RunRequest, type RunStarted, startNextRun } from './next-run.ts';
import { planStatuses } from './plan-statuses.ts';
import { type ReadPlan, readPlan, readView } from './read-plan.ts';
import { workerAnswers } from './readiness.ts';
import { readStory, type StoryRequest } from './story.ts';
import type { Timeline } from './timeline.ts';

/** The one application service that every surface calls: a method per use case, each with its caller; throws only `Fault`. */
export interface PlanService {
  create(caller: Caller, request: CreateRequest): Promise<Created>;
  read(caller: Caller, planId: string): Promise<ReadPlan>;
  list(caller: Caller, request?: ListRequest): Promise<PlanList>;
  /** Pause, resume, stop, approve, answer, hold, release. */
  command(caller: Caller, planId: string, name: CommandName, request?: CommandRequest): Promise<CommandAnswer>;
  outcome(caller: Caller, planId: string, requestId: string): Promise<CommandAnswer>;
  /** Events after a `seq`, in order and without gaps, over all runs. */
  events(caller: Caller, planId: string, afterSeq: number): Promise<PlanEvent[]>;
  /** The same, page by page where it is long, and with what Temporal did to the plan and what retention has removed. */
  timeline(caller: Caller, planId: string, request: StoryRequest): Promise<Timeline>;
  /** Events as they come. */
  follow(caller: Caller, planId: string, after: FollowRequest['after']): Promise<Followed>;
  /** Every change of state of the caller's organisation from now on; gives what ends it. */
  subscribe(caller: Caller, listener: (change: StateChange) => void): () => void;
  nextRun(caller: Caller, planId: string, request: RunRequest): Promise<RunStarted>;
  /** Whether a worker answers. */
  ready(): Promise<boolean>;
}

/** Without a bus nothing hints that a plan has moved: whoever follows one is told some seconds later. */
export function createService(client: Client, bus: Bus = localBus()): PlanService {
  const hub = createHub(
    {
      story: ({ org_id, plan_id }, request) => readStory(client, { id: workflowId(org_id, plan_id), plan_id }, request),
      view: (plan) => readView(client, plan),
      statuses: (orgId) => planStatuses(client, orgId),
    },
    bus,
  );
  return {
    create: (caller, request) => createPlan(client, caller, request),
    read: (caller, planId) => readPlan(client, caller, planId),
    list: (caller, request) => listPlans(client, caller, request),
    command: (caller, planId, name, request) => commandPlan(client, caller, planId, name, request),
    outcome: (caller, planId, requestId) => commandOutcome(client, caller, planId, requestId),
    events: (caller, planId, afterSeq) => planEvents(client, caller, planId, afterSeq),
    timeline: (caller, planId, request) => readTimeline(client, caller, planId, request),
    follow: (caller, planId, after) => followPlan(client, hub, caller, planId, after),
    subscribe: (caller, listener) => subscribeChanges(hub, caller, listener),
    nextRun: (caller, planId, request) => startNextRun(client, caller, planId, request),
    ready: () => workerAnswers(client),
  };
}
