import type { Client } from '@temporalio/client';
import { planTimeline } from '../timeline.ts';

const PAGE = 1_000;

/** A plan's timeline over all its runs, one JSON object a line, page by page. */
export async function* storyLines(client: Client, plan: { id: string; plan_id: string }): AsyncGenerator<Buffer> {
  for (let after: number | null = 0; after !== null; ) {
    const { entries, next_after } = await planTimeline(client, plan, { after, limit: PAGE });
    yield Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    after = next_after;
  }
}
