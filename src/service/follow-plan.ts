import type { Client } from '@temporalio/client';
import { workflowId } from '../contract/names.ts';
import type { PlanEvent } from '../plan/events.ts';
import { type Caller, mustHave } from './caller.ts';
import { describePlan } from './described.ts';
import type { FollowRequest, Pushed } from './hub/follow.ts';
import type { StateChange } from './hub/organisation.ts';
import type { Hub } from './hub.ts';
import { mustBePlanId } from './ids.ts';
import { readStory, type StoryRequest } from './story.ts';
import { planTimeline, type Timeline } from './timeline.ts';

export interface Followed {
  /** The plan has ended, and all of it was told before `after`. */
  over: boolean;
  /** Ends with the run, or when the signal aborts. */
  pushed(signal: AbortSignal): AsyncIterable<Pushed>;
}

/** Follows a plan from after the event of a number. That it is there and may be read is settled when this returns. */
export async function followPlan(
  client: Client,
  hub: Hub,
  caller: Caller,
  planId: string,
  after: FollowRequest['after'],
): Promise<Followed> {
  const { id, plan_id } = planOf(caller, planId);
  const { open } = await describePlan(client, id, plan_id);
  const plan = { org_id: caller.principal.org_id, plan_id };
  // Without a worker nobody can tell; then the stream waits for one.
  const over = !open && typeof after === 'number' && (await hub.isTold(plan, after).catch(() => false));
  return { over, pushed: (signal) => hub.follow(plan, { after, closed: !open, signal }) };
}

/** A plan's timeline, whole or page by page. */
export async function readTimeline(
  client: Client,
  caller: Caller,
  planId: string,
  request: StoryRequest,
): Promise<Timeline> {
  return await planTimeline(client, planOf(caller, planId), request);
}

/** A plan's events after a number, as far as they are kept. */
export async function planEvents(client: Client, caller: Caller, planId: string, after: number): Promise<PlanEvent[]> {
  const { entries } = await readStory(client, planOf(caller, planId), { after });
  return entries.filter((entry) => entry.type !== 'gap');
}

/** Tells every change of state of the caller's organisation. */
export function subscribeChanges(hub: Hub, caller: Caller, listener: (change: StateChange) => void): () => void {
  mustHave(caller, 'plan:read');
  return hub.subscribe(caller.principal.org_id, listener);
}

function planOf(caller: Caller, planId: string) {
  mustHave(caller, 'plan:read');
  const plan_id = mustBePlanId(planId);
  return { id: workflowId(caller.principal.org_id, plan_id), plan_id };
}
