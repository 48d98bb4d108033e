import type { Client } from '@temporalio/client';
import { z } from 'zod';
import { PLAN_FAILED, PLAN_STOPPED } from '../../contract/names.ts';
import { unpack } from '../../contract/packed.ts';
import type { Predecessor } from '../../contract/payloads.ts';
import type { Snapshot } from '../../plan/snapshot.ts';
import { inputOf } from '../run-input.ts';
import { quoted } from '../visibility-query.ts';
import { snapshotOfEnded, snapshotOfNothing } from './ended-run.ts';
import type { Keep } from './left-behind.ts';

/** A run that was too large to be kept, or left what cannot be read. */
export class NoSnapshot extends Error {
  override readonly name = 'NoSnapshot';
}

/** `outside`: Temporal ended it without asking it. */
export type PredecessorRun = Pick<Predecessor, 'run_id' | 'snapshot' | 'state'> & { outside?: true };

/**
 * The run before `runId` under this Workflow Id, and what it left. The list lags, so it is asked until it shows the run that
 * asks, and that those before it have ended. An operator's reset starts a run as if it had begun with the one that it ends, so
 * the one before is the one that ended last.
 */
export async function findPredecessor(client: Client, id: string, runId: string, keep: Keep): Promise<PredecessorRun> {
  for (let tries = 0; ; tries++) {
    const runs: { runId: string; startTime: Date; closeTime?: Date }[] = [];
    for await (const run of client.workflow.list({ query: `WorkflowId = ${quoted(id)}` })) runs.push(run);
    const mine = runs.find((run) => run.runId === runId);
    const earlier = runs.filter((run) => run !== mine && mine && run.startTime <= mine.startTime);
    const closed = earlier.flatMap(({ runId, closeTime }) => (closeTime ? [{ runId, at: closeTime.getTime() }] : []));
    const [last] = closed.sort((a, b) => b.at - a.at);
    if (mine && last && closed.length === earlier.length) return await endingOf(client, id, last.runId, keep);
    if (tries >= 100) throw new Error('the list of runs does not show this one, and that those before it have ended');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** What a run left when it ended, by itself or from outside; throws NoSnapshot, NotReplayed. */
export async function endingOf(
  client: Client,
  id: string,
  runId: string,
  keep: Keep = async (value) => value,
): Promise<PredecessorRun> {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId: id, runId },
    historyEventFilterType: 2,
  });
  const last = history?.events?.at(-1);
  const failure = last?.workflowExecutionFailedEventAttributes?.failure?.applicationFailureInfo;
  if (failure?.type === PLAN_FAILED || failure?.type === PLAN_STOPPED) {
    const data = failure.details?.payloads?.[0]?.data;
    if (!data) throw new NoSnapshot('its last run left nothing to go on from: it was too large to be kept');
    return { run_id: runId, snapshot: readSnapshot(data), state: failure.type === PLAN_STOPPED ? 'stopped' : 'failed' };
  }
  const snapshot = await snapshotOfEnded(client, { id, run: runId }, keep);
  const before = snapshot ?? (await beforeItBegan(client, id, runId, keep));
  return { run_id: runId, snapshot: before, state: 'stopped', outside: true };
}

/** A run that was ended before it began leaves what it was to begin with. */
async function beforeItBegan(client: Client, id: string, runId: string, keep: Keep): Promise<Snapshot> {
  const input = await inputOf(client, id, runId);
  if (!input.next_run) return snapshotOfNothing(input, Date.now());
  const snapshot = unpack((await endingOf(client, id, input.next_run.from_run, keep)).snapshot);
  if (input.next_run.mode === 'resume') return snapshot;
  const tasks = Object.entries(snapshot.tasks).map(([task, { asked }]) => [task, { asked }]);
  return { ...snapshot, generation: snapshot.generation + 1, tasks: Object.fromEntries(tasks) };
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
