import type { Client } from '@temporalio/client';
import type { Described } from '../described.ts';
import { describeNumber, lastKnown, listedNumbers } from '../enroll.ts';
import { enrollmentId } from '../ids.ts';

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
