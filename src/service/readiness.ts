import type { Client } from '@temporalio/client';
import { ENGINE_QUEUE, PROBE_WORKFLOW, probeId, QUERIES } from '../contract/names.ts';
import { ask, NOT_FOUND } from './queries.ts';
import { sharedReads } from './shared-query.ts';

const share = sharedReads<boolean>();

/**
 * Whether a worker is up: it is if it answers a Query. Never by Temporal's poller list, which names dead pollers for
 * minutes. The query goes to a workflow that ended at once; where retention removed it, a new one is started.
 */
export function workerAnswers(client: Client): Promise<boolean> {
  return share('probe', async () => {
    const answer = await ask<string>(client, { id: probeId }, QUERIES.ping);
    if (answer !== NOT_FOUND) return answer === 'pong';
    await startProbe(client);
    return (await ask<string>(client, { id: probeId }, QUERIES.ping)) === 'pong';
  });
}

async function startProbe(client: Client): Promise<void> {
  await client.workflow
    .start(PROBE_WORKFLOW, {
      workflowId: probeId,
      taskQueue: ENGINE_QUEUE,
      workflowIdConflictPolicy: 'USE_EXISTING',
      staticSummary: 'answers queries, to tell whether a worker is up',
    })
    .catch(() => {});
}
