import { setTimeout as delay } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';

/** One Query's deadline, the pause before it is tried again, and when to give up: a hand-over refuses or delays queries. */
export const QUERY_DEADLINE_MS = 400;
export const QUERY_PAUSE_MS = 15;
export const QUERY_PATIENCE_MS = 2_000;
const LONGEST_DEADLINE_MS = 20_000;
/** A closed run is replayed from its history before it answers: about 0.5 s per thousand events. */
export const REPLAY_PATIENCE: Patience = { deadlineMs: 5_000, totalMs: 15_000 };

export interface Patience {
  deadlineMs: number;
  totalMs: number;
  /** What is not there now is not going to be: null is an answer, and gives NO_ANSWER at once. */
  settled?: true;
}
export const LIVE_PATIENCE: Patience = { deadlineMs: QUERY_DEADLINE_MS, totalMs: QUERY_PATIENCE_MS };

export const NO_ANSWER = Symbol('no worker answered in time');
export const NOT_FOUND = Symbol('no such workflow');

/**
 * Asks a workflow until it answers with something other than null, by Workflow Id alone unless a run is named.
 * Never hangs: gives NO_ANSWER when no worker answered in time, NOT_FOUND when there is no such workflow.
 */
export async function ask<T>(
  client: Client,
  workflow: { id: string; run?: string },
  query: string,
  argument?: unknown,
  { deadlineMs, totalMs, settled }: Patience = LIVE_PATIENCE,
): Promise<T | typeof NO_ANSWER | typeof NOT_FOUND> {
  const handle = client.workflow.getHandle(workflow.id, workflow.run);
  const end = Date.now() + totalMs;
  // Where all is slow, asking again as soon as before would only make it slower.
  for (let within = deadlineMs; ; within = Math.min(2 * within, LONGEST_DEADLINE_MS)) {
    try {
      const deadline = Math.max(Date.now() + 50, Math.min(Date.now() + within, end));
      const answer = await client.withDeadline(deadline, () =>
        argument === undefined ? handle.query<T | null>(query) : handle.query<T | null, [unknown]>(query, argument),
      );
      if (answer !== null) return answer;
      if (settled) return NO_ANSWER;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return NOT_FOUND;
      // A time-out, a refused query, a workflow whose worker is about to come: asking again may help.
    }
    if (Date.now() + QUERY_PAUSE_MS >= end) return NO_ANSWER;
    await delay(QUERY_PAUSE_MS);
  }
}
