import type { Client } from '@temporalio/client';
import { describePlan } from './described.ts';
import { readStory, type StoryEntry, type StoryRequest } from './story.ts';

/** An operator has put the plan back in Temporal. What it tells from there on is new; what it told before is gone with its numbers. */
export interface Reset {
  type: 'PlanReset';
  at: number;
  by: string;
  message: string;
}
export interface Timeline {
  entries: (StoryEntry | Reset)[];
  /** After which number the rest is; null when there is no more. */
  next_after: number | null;
}

/** Who did what and when, over all runs of the plan; of what Temporal did to it, too. */
export async function planTimeline(
  client: Client,
  plan: { id: string; plan_id: string },
  request: StoryRequest,
): Promise<Timeline> {
  const [{ entries, seq }, { reset, run_id }] = await Promise.all([
    readStory(client, plan, request),
    describePlan(client, plan.id, plan.plan_id),
  ]);
  const last = entries.at(-1)?.seq ?? seq;
  const next_after = last < seq ? last : null;
  if (!reset) return { entries, next_after };
  const resets = await resetsIn(client, plan.id, run_id);
  return {
    entries: resets.reduce((all, one) => insert(all, one, request.after, next_after), entries as Timeline['entries']),
    next_after,
  };
}

/** By its time: it has no number, for the plan knows nothing of it. On a page that does not reach it, it is not shown. */
function insert(entries: Timeline['entries'], reset: Reset, after: number, next: number | null): Timeline['entries'] {
  const place = entries.findIndex((entry) => 'at' in entry && entry.at >= reset.at);
  if (place < 0) return next === null ? [...entries, reset] : entries;
  return place === 0 && after > 0 ? entries : entries.toSpliced(place, 0, reset);
}

/** Temporal writes a reset as a failed Workflow Task, with the reason that was given. */
async function resetsIn(client: Client, id: string, run_id: string): Promise<Reset[]> {
  const { events } = await client.workflow.getHandle(id, run_id).fetchHistory();
  return (events ?? []).flatMap(({ workflowTaskFailedEventAttributes: failed, eventTime }): Reset[] => {
    if (!failed?.failure?.resetWorkflowFailureInfo) return [];
    const at = Number(eventTime?.seconds ?? 0) * 1_000 + (eventTime?.nanos ?? 0) / 1e6;
    const reason = failed.failure.message;
    return [{ type: 'PlanReset', at, by: 'operator (Temporal)', message: reason ? `reset: ${reason}` : 'reset' }];
  });
}
