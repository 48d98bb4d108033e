import type { EngineRecord } from './engine-record.ts';

/**
 * Whether this build can go on with the open plans of an engine of another build: their histories are replayed with this
 * build's workflow code.
 */
export async function mayReplace({ temporal, namespace = 'default' }: EngineRecord): Promise<boolean> {
  if (temporal === undefined) return false;
  const [{ Client }, { Worker }, { connectClient }, { workflowSource }, { hintSinks }, { locateCluster }] =
    await Promise.all([
      import('@temporalio/client'),
      import('@temporalio/worker'),
      import('../temporal/connection.ts'),
      import('../worker/bundle.ts'),
      import('../worker/hint-sinks.ts'),
      import('../temporal/cluster.ts'),
    ]);
  const cluster = locateCluster();
  const connection = await connectClient(cluster.kind === 'external' ? cluster : { address: temporal });
  try {
    const client = new Client({ connection, namespace });
    const open = client.workflow.list({ query: `ExecutionStatus = 'Running'` }).intoHistories();
    const options = { ...workflowSource(), sinks: hintSinks() };
    for await (const { error } of Worker.runReplayHistories(options, open)) if (error) return false;
    return true;
  } finally {
    await connection.close();
  }
}
