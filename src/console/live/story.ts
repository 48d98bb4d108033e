import { queryOptions } from '@tanstack/react-query';
import { call, planPath } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import type { Plan, Event as PlanEvent, Timeline } from '../api/types.ts';

/** What happened to a plan, in order, from an event on; what comes is put at the end. */
export interface Story {
  entries: Timeline['entries'];
  /** The `seq` after which it begins; 0: it is whole. */
  after: number;
}

/** Of a long story the end is read first. */
const FIRST = 500;
const PAGE = 1_000;

export const storyQuery = (planId: string) =>
  queryOptions({
    queryKey: ['story', planId],
    queryFn: ({ signal }) => readStory(planId, signal),
    // Afterwards the stream tells what comes.
    staleTime: Infinity,
  });

async function readStory(planId: string, signal: AbortSignal): Promise<Story> {
  const known = queryClient.getQueryData<Story>(['story', planId]);
  const seq = queryClient.getQueryData<Plan>(['plan', planId])?.seq ?? 0;
  const after = known?.after ?? Math.max(0, seq - FIRST);
  return { after, entries: await readPages(planId, after, signal) };
}

async function readPages(planId: string, from: number, signal?: AbortSignal): Promise<Story['entries']> {
  const entries: Story['entries'] = [];
  let after: number | null | undefined = from;
  while (after !== null && after !== undefined) {
    const query = { after, limit: PAGE };
    const page: Timeline = await call('GET', planPath(planId, '/timeline'), { query, signal });
    entries.push(...page.entries);
    after = page.next_after;
  }
  return entries;
}

/** Reads the whole story of a plan of which the end is shown. */
export async function readWholeStory(planId: string): Promise<void> {
  const entries = await readPages(planId, 0);
  queryClient.setQueryData<Story>(['story', planId], { after: 0, entries });
}

/** Puts an event at the end, once. */
export function told(planId: string, event: PlanEvent): void {
  queryClient.setQueryData<Story>(['story', planId], (story) => {
    if (!story || event.seq <= lastSeq(story)) return story;
    return { ...story, entries: [...story.entries, event] };
  });
}

export function lastSeq({ entries, after }: Story): number {
  for (let i = entries.length - 1; i >= 0; i--) {
    const entry = entries[i]!;
    if ('seq' in entry) return entry.seq;
  }
  return after;
}
