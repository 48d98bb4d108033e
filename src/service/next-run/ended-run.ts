import type { Client } from '@temporalio/client';
import { QUERIES } from '../../contract/names.ts';
import { type Packed, unpack } from '../../contract/packed.ts';
import type { NotBegun, PlanInput } from '../../contract/payloads.ts';
import type { Snapshot } from '../../plan/snapshot.ts';
import type { Standing } from '../../plan/standing.ts';
import { askReplayed } from '../ask-replayed.ts';
import { OUTSIDE_EVENTS } from '../ended-outside.ts';
import { NO_ANSWER, NOT_FOUND } from '../queries.ts';
import { type AskStanding, type Keep, leftBehind } from './left-behind.ts';

/** How a run stood that Temporal ended without asking it can be told only by replaying it, which nobody did in time. */
export class NotReplayed extends Error {
  override readonly name = 'NotReplayed';
}

/** What a run left that was terminated or timed out: its history says how far it was. Undefined: it had not begun. */
export async function snapshotOfEnded(
  client: Client,
  workflow: { id: string; run: string },
  keep: Keep,
): Promise<Snapshot | undefined> {
  const ask: AskStanding = async (id) => {
    const of = id === workflow.id ? workflow : { id };
    if (!(await hasBegun(client, of))) return undefined;
    const answer = await askReplayed<Packed<Standing | NotBegun>>(client, of, QUERIES.standing);
    if (answer === NOT_FOUND) return undefined;
    if (answer === NO_ANSWER)
      throw new NotReplayed('how far it was is told by its history, which no worker has replayed in time');
    const standing = unpack(answer);
    return 'begun' in standing ? undefined : standing;
  };
  const snapshot = (await leftBehind(workflow.id, ask, keep))?.snapshot;
  // Its ending is in the story, too, though it did not write it itself.
  return snapshot && withSeq(snapshot, snapshot.seq + OUTSIDE_EVENTS);
}

function withSeq(snapshot: Snapshot, seq: number): Snapshot {
  const segments = snapshot.segments.with(-1, { ...snapshot.segments.at(-1)!, to_seq: seq });
  return { ...snapshot, seq, segments };
}

/** Before its first Workflow Task nothing can be asked. */
async function hasBegun(client: Client, { id, run }: { id: string; run?: string }): Promise<boolean> {
  const { history } = await client.workflowService
    .getWorkflowExecutionHistory({
      namespace: client.options.namespace,
      execution: { workflowId: id, ...(run !== undefined && { runId: run }) },
      maximumPageSize: 50,
    })
    .catch(() => ({ history: undefined }));
  return Boolean(history?.events?.some((event) => event.workflowTaskCompletedEventAttributes));
}

/** What a plan starts from that was ended before it began. */
export function snapshotOfNothing(
  { principal, definition }: Pick<PlanInput, 'principal' | 'definition'>,
  created_at: number,
): Snapshot {
  return {
    schema_version: 1,
    rules: 2,
    run: 1,
    generation: 0,
    created_at,
    created_by: principal.name,
    seq: 0,
    segments: [],
    outcomes: [],
    tasks: Object.fromEntries(unpack(definition).tasks.map(({ id }) => [id, { asked: 0 }])),
  };
}
