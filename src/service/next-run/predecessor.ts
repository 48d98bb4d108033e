import type { Client } from '@temporalio/client';
import { z } from 'zod';
import { PLAN_FAILED, PLAN_STOPPED } from '../../contract/names.ts';
import { unpack } from '../../contract/packed.ts';
import type { Predecessor } from '../../contract/payloads.ts';
import type { Snapshot } from '../../plan/snapshot.ts';
import { quoted } from '../visibility-query.ts';

/** A run that was too large to be kept, was ended from outside, or left what cannot be read. */
export class NoSnapshot extends Error {
  override readonly name = 'NoSnapshot';
}

export type PredecessorRun = Pick<Predecessor, 'run_id' | 'snapshot' | 'state'>;

/**
 * The run before `runId` under this Workflow Id, and the snapshot in its ending. The list lags, so it is asked until it
 * shows the run that asks, whose start came after its predecessor's.
 */
export async function findPredecessor(client: Client, id: string, runId: string): Promise<PredecessorRun> {
  for (let tries = 0; ; tries++) {
    const runs: { runId: string; startTime: Date }[] = [];
    for await (const { runId, startTime } of client.workflow.list({ query: `WorkflowId = ${quoted(id)}` }))
      runs.push({ runId, startTime });
    const mine = runs.find((run) => run.runId === runId);
    const earlier = runs.filter((run) => run !== mine && mine && run.startTime <= mine.startTime);
    const [last] = earlier.sort((a, b) => b.startTime.getTime() - a.startTime.getTime());
    if (mine && last) return await endingOf(client, id, last.runId);
    if (tries >= 100) throw new Error('the list of runs does not show this one');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** What a run left when it ended; throws NoSnapshot. */
export async function endingOf(client: Client, id: string, runId: string): Promise<PredecessorRun> {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId: id, runId },
    historyEventFilterType: 2,
  });
  const failure = history?.events?.at(-1)?.workflowExecutionFailedEventAttributes?.failure?.applicationFailureInfo;
  const data = failure?.details?.payloads?.[0]?.data;
  if (!data || (failure.type !== PLAN_FAILED && failure.type !== PLAN_STOPPED))
    throw new NoSnapshot('its last run left nothing to go on from: it was too large to be kept, or ended from outside');
  return { run_id: runId, snapshot: readSnapshot(data), state: failure.type === PLAN_STOPPED ? 'stopped' : 'failed' };
}

const shape = z.looseObject({
  schema_version: z.literal(1),
  run: z.int(),
  generation: z.int(),
  created_at: z.number(),
  created_by: z.string(),
  seq: z.int(),
  segments: z.array(z.looseObject({ run_id: z.string() })),
  outcomes: z.array(z.looseObject({ request_id: z.string() })),
  tasks: z.record(z.string(), z.looseObject({ asked: z.int() })),
});

/** A run that began from what cannot be read would fail at every try. */
export function readSnapshot(data: Uint8Array): Snapshot {
  try {
    const snapshot = unpack(JSON.parse(Buffer.from(data).toString('utf8')) as Predecessor['snapshot']);
    return shape.parse(snapshot) as unknown as Snapshot;
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error).split('\n')[0] : (error as Error).message;
    throw new NoSnapshot(`what its last run left cannot be read: ${why}`, { cause: error });
  }
}
