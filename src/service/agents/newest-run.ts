import type { Client } from '@temporalio/client';
import type { Caller } from '../caller.ts';
import type { Described } from '../described.ts';
import { describeNumber, lastKnown, listedNumbers } from '../enroll.ts';
import { enrollmentId } from '../ids.ts';
import type { PipelineFacts } from '../start-workflow.ts';
import { chatKey } from './chat-id.ts';

/** The newest pipeline of a chat; `next` is the id that the one after it will have. */
export interface NewestRun {
  plan_id: string;
  found: Described;
}

/** The last number that is known of a key; numbers only grow. */
const known = new Map<string, number>();
const MOST_KNOWN = 10_000;

/** By number, not by the list, which is behind by a moment. */
export async function newestRun(client: Client, orgId: string, key: string): Promise<NewestRun | undefined> {
  const describe = (n: number) => describeNumber(client, orgId, key, n);
  const place = JSON.stringify([orgId, key]);
  let from = known.get(place) ?? 0;
  if (from === 0) {
    const listed = await listedNumbers(client, orgId, key);
    from = Math.max(0, ...listed.map(({ n }) => n));
  }
  if (from === 0 && (await describe(1)) === undefined) return undefined;
  const n = await lastKnown(Math.max(1, from), describe);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(place, n);
  const found = await describe(n);
  return found && { plan_id: enrollmentId(orgId, key, n), found };
}

/** The id that the pipeline after this one will have. */
export const idAfter = (orgId: string, key: string, { found }: NewestRun): string =>
  enrollmentId(orgId, key, (found.facts.enrollment?.n ?? 0) + 1);

/** The runs of a chat before its newest one, the latest first; what is looked for longer after was not sent again. */
export async function earlierRuns(
  client: Client,
  orgId: string,
  key: string,
  { found }: NewestRun,
): Promise<Earlier[]> {
  const last = found.facts.enrollment?.n ?? 1;
  const numbers = Array.from({ length: Math.min(last - 1, MOST_EARLIER) }, (_, i) => last - 1 - i);
  const runs = await Promise.all(numbers.map((n) => describeNumber(client, orgId, key, n)));
  return runs.flatMap((run, i) => {
    const pipeline = run?.facts.pipeline;
    return pipeline ? [{ plan_id: enrollmentId(orgId, key, numbers[i]!), pipeline }] : [];
  });
}
const MOST_EARLIER = 20;

interface Earlier {
  plan_id: string;
  pipeline: PipelineFacts;
}

/** The run of a chat that a request has started. */
export async function runOf(
  client: Client,
  { principal: { org_id } }: Caller,
  chatId: string,
  requestId: string,
): Promise<string | undefined> {
  const key = chatKey(chatId);
  const newest = await newestRun(client, org_id, key);
  if (!newest) return undefined;
  if (newest.found.facts.pipeline?.request_id === requestId) return newest.plan_id;
  const runs = await earlierRuns(client, org_id, key, newest);
  return runs.find(({ pipeline }) => pipeline.request_id === requestId)?.plan_id;
}
