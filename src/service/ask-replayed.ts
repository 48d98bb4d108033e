import type { Client } from '@temporalio/client';
import { ask, NO_ANSWER, REPLAY_PATIENCE } from './queries.ts';
import { workerAnswers } from './readiness.ts';

/** Asks; where no answer comes although a worker is up, the run is long and being replayed: then with more patience. */
export async function askReplayed<T>(
  client: Client,
  workflow: { id: string; run?: string },
  query: string,
  argument?: unknown,
) {
  const answer = await ask<T>(client, workflow, query, argument);
  if (answer !== NO_ANSWER || !(await workerAnswers(client))) return answer;
  return await ask<T>(client, workflow, query, argument, REPLAY_PATIENCE);
}
