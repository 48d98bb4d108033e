import type { Client } from '@temporalio/client';
import { QUERIES } from '../contract/names.ts';
import type { EventsPage, EventsRequest } from '../contract/payloads.ts';
import { Fault } from '../faults.ts';
import type { PlanEvent } from '../plan/events.ts';
import { askReplayed } from './ask-replayed.ts';
import { describePlan } from './described.ts';
import { endedOutside } from './ended-outside.ts';
import { NO_ANSWER, NOT_FOUND } from './queries.ts';

/** Events that retention has removed together with the run that held them. */
export interface Gap {
  type: 'gap';
  from_seq: number;
  /** The last of them. */
  seq: number;
  message: string;
}
export type StoryEntry = PlanEvent | Gap;

/** A plan's events after a `seq`, in order and without gap or repeat but for what is said to be gone. */
export interface Story {
  entries: StoryEntry[];
  /** Number of the last event there is. */
  seq: number;
  /** The event asked after, where the present run holds it: not the one that is known when an operator has reset the plan. */
  before?: PlanEvent;
}

export interface StoryRequest {
  after: number;
  limit?: number;
}

/** Events in one answer to a query, which is to stay below a megabyte. */
const PAGE = 2_000;
/** What has just moved has not been ended from outside; that is asked when nothing has moved for a while. */
const MOVED_MS = 1_000;

/** From whichever of the plan's runs hold them. Throws ENGINE_UNAVAILABLE when no worker answers, PLAN_NOT_FOUND. */
export async function readStory(
  client: Client,
  plan: { id: string; plan_id: string },
  { after, limit = Number.POSITIVE_INFINITY }: StoryRequest,
): Promise<Story> {
  const { id, plan_id } = plan;
  const entries: StoryEntry[] = [];
  let before: PlanEvent | undefined;
  for (;;) {
    const cursor = entries.at(-1)?.seq ?? after;
    const wanted = limit - entries.length;
    // One more, to see whether what came before is still so.
    const page = await eventsPage(client, { id }, { after_seq: Math.max(0, cursor - 1), limit: pageOf(wanted) + 1 });
    if (!page) {
      await describePlan(client, id, plan_id);
      throw new Fault('ENGINE_UNAVAILABLE', 'no worker answers; events are kept and can be read when one does');
    }
    if (entries.length === 0) before = page.events.find(({ seq }) => seq === after);
    const older = page.segments.filter(({ to_seq }) => to_seq > cursor);
    for (const { run_id, to_seq } of older)
      if (entries.length < limit)
        await readRun(client, { id, plan_id, run: run_id }, { entries, after, to_seq, limit });
    if (older.length > 0 && entries.length < limit) continue;
    if (older.length === 0) entries.push(...page.events.filter(({ seq }) => seq > cursor).slice(0, wanted));
    const told = { entries, seq: Math.max(page.seq, entries.at(-1)?.seq ?? 0), ...(before && { before }) };
    if (entries.length >= limit) return told;
    // All of a plan that went on to a new history meanwhile, or of more events than one answer holds.
    if (page.seq > (entries.at(-1)?.seq ?? after)) continue;
    return await withEnding(client, plan, told, after);
  }
}

const pageOf = (wanted: number): number => Math.min(PAGE, wanted);

/** Takes what an earlier run holds up to its last event. */
async function readRun(
  client: Client,
  workflow: { id: string; plan_id: string; run: string },
  { entries, after, to_seq, limit }: { entries: StoryEntry[]; after: number; to_seq: number; limit: number },
): Promise<void> {
  for (;;) {
    const cursor = entries.at(-1)?.seq ?? after;
    if (cursor >= to_seq || entries.length >= limit) return;
    const page = await eventsPage(client, workflow, { after_seq: cursor, limit: pageOf(limit - entries.length) });
    if (!page || page.events.length === 0) {
      if (!page) await mustBeGone(client, workflow);
      const ending = page ? await endedOutside(client, workflow, page.seq) : [];
      entries.push(...ending.filter(({ seq }) => seq > cursor && seq <= to_seq));
      if ((entries.at(-1)?.seq ?? after) > cursor) continue;
      entries.push({ type: 'gap', from_seq: cursor + 1, seq: to_seq, message: 'removed by retention' });
      return;
    }
    entries.push(...page.events.filter(({ seq }) => seq > cursor));
  }
}

async function mustBeGone(client: Client, { id, run }: { id: string; run: string }): Promise<void> {
  const gone = await describePlan(client, id, id, run).then(
    () => false,
    (error: unknown) => error instanceof Fault && error.code === 'PLAN_NOT_FOUND',
  );
  if (!gone) throw new Fault('ENGINE_UNAVAILABLE', 'no worker answers; events are kept and can be read when one does');
}

async function eventsPage(
  client: Client,
  workflow: { id: string; run?: string },
  request: EventsRequest,
): Promise<EventsPage | undefined> {
  const page = await askReplayed<EventsPage>(client, workflow, QUERIES.events, request);
  return page === NO_ANSWER || page === NOT_FOUND ? undefined : page;
}

/** A plan that was ended from outside did not write how: Temporal knows. */
async function withEnding(client: Client, plan: { id: string; plan_id: string }, story: Story, after: number) {
  const last = story.entries.at(-1) ?? story.before;
  if (last && (!('at' in last) || last.totals || Date.now() - last.at < MOVED_MS)) return story;
  const more = await endedOutside(client, plan, story.seq);
  if (more.length === 0) return story;
  return {
    ...story,
    seq: more.at(-1)!.seq,
    entries: [...story.entries, ...more.filter(({ seq }) => seq > after)],
  };
}
