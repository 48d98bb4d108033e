import type { Client } from '@temporalio/client';
import { ENGINE_QUEUE, PROBE_WORKFLOW, probeId, QUERIES } from '../contract/names.ts';
import { ask, LIVE_PATIENCE, NOT_FOUND, type Patience } from './queries.ts';
import { sharedReads } from './shared-query.ts';

const share = sharedReads<boolean>();

/**
 * Whether a worker is up: it is if it answers a Query. Never by Temporal's poller list, which names dead pollers for
 * minutes. The query goes to a workflow that ended at once; where retention removed it, a new one is started.
 */
export function workerAnswers(client: Client, patience: Patience = LIVE_PATIENCE): Promise<boolean> {
  const ping = () => ask<string>(client, { id: probeId }, QUERIES.ping, undefined, patience);
  return share(`probe ${patience.totalMs}`, async () => {
    const answer = await ping();
    if (answer !== NOT_FOUND) return answer === 'pong';
    await startProbe(client);
    return (await ping()) === 'pong';
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
