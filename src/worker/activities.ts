import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ApplicationFailure, Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import type { ArtifactStore } from '../activities/artifact-store.ts';
import { asideActivities } from '../activities/asides.ts';
import { type AttemptDependencies, attemptActivity } from '../activities/attempt.ts';
import type { ActivityKind } from '../activities/kind.ts';
import { KINDS, PROGRAM_KINDS, STEP_KINDS } from '../activities/kinds.ts';
import type { LedgerOf } from '../activities/llm/ledger.ts';
import { type AttemptRecord, readAttempts } from '../activities/running-attempts.ts';
import { runsFolder } from '../activities/stores.ts';
import { whatIsGone } from '../activities/what-is-gone.ts';
import { ASK_FOR_SLOT, LOAD_PREDECESSOR, LOOK_AT_HOLDERS, PLAN_FAILED } from '../contract/names.ts';
import { pack, unpack } from '../contract/packed.ts';
import { payload } from '../contract/payload-size.ts';
import {
  type AskForSlotInput,
  HEARTBEAT_INTERVAL_MS,
  HEARTBEAT_TIMEOUT_MS,
  type LookAtHoldersInput,
  type Predecessor,
  type PredecessorInput,
} from '../contract/payloads.ts';
import type { Json } from '../plan/json.ts';
import type { AnyTaskKind } from '../plan/kind.ts';
import { askForSlot, lookAtHolders } from '../service/group-slots.ts';
import { ledgerEntries } from '../service/ledger/entries.ts';
import { findPredecessor, NoSnapshot } from '../service/next-run/predecessor.ts';
import { inputOf } from '../service/run-input.ts';
import { ensureWorktree } from '../worktree/ensure.ts';

/** Without what the run before left there is no next run, however often it is asked for. */
function noSnapshot(error: unknown): never {
  if (!(error instanceof NoSnapshot)) throw error;
  throw ApplicationFailure.create({ type: PLAN_FAILED, message: error.message, nonRetryable: true });
}

const isActivity = (kind: AnyTaskKind): kind is ActivityKind<unknown> => kind.mode === 'activity';

/** Every activity a worker offers: one per kind that needs one, the loading of what the run before left, and the slots of groups. */
export function createActivities(client: Client, dependencies: AttemptDependencies) {
  const entries = ledgerEntries(client, join(dependencies.home, 'ledger'));
  const ledgerOf: LedgerOf = ({ principal }, onWarning) => entries(principal.org_id, onWarning);
  const attempts = [...KINDS, ...STEP_KINDS, ...PROGRAM_KINDS]
    .filter(isActivity)
    .map((kind) => [kind.key, attemptActivity(kind, { ledgerOf, ...dependencies })] as const);
  return {
    ...Object.fromEntries(attempts),
    ...asideActivities(dependencies),
    [LOAD_PREDECESSOR]: loadPredecessor(client, dependencies),
    [ASK_FOR_SLOT]: (input: AskForSlotInput) => askForSlot(client, input),
    [LOOK_AT_HOLDERS]: (input: LookAtHoldersInput) => lookAtHolders(client, input),
  };
}

/** Finds what the run before left, and looks whether it is still there. What a retry starts from is nothing. */
function loadPredecessor(client: Client, { home, store }: AttemptDependencies) {
  return async ({ mode }: PredecessorInput): Promise<Predecessor> => {
    const context = Context.current();
    const { workflowId, runId } = context.info.workflowExecution!;
    const heartbeats = setInterval(() => context.heartbeat(), HEARTBEAT_INTERVAL_MS);
    try {
      const planId = workflowId.slice(workflowId.lastIndexOf('/') + 1);
      const keep = (value: Json) => keepLarge(value, store.ofPlan(planId));
      const { outside, ...left } = await findPredecessor(client, workflowId, runId, keep).catch(noSnapshot);
      const snapshot = unpack(left.snapshot);
      const found = { ...left, snapshot: pack(snapshot) };
      if (outside) await othersEnded(join(home, 'attempts'), workflowId, runId);
      if (mode === 'retry') {
        await store.clear(planId, found.run_id);
        return fitting({ ...found, files_gone: {} });
      }
      // Files that its branch has are not gone, though its worktree is. What stands in its way is told by its first command.
      const { place } = await inputOf(client, workflowId, runId);
      if (place.worktree) await ensureWorktree(place.worktree, { env: place.env }).catch(() => undefined);
      const { files, stored, inside, note } = await whatIsGone(snapshot, store, join(runsFolder(home), planId));
      const gone = { files_gone: files, stored_gone: stored, inside_gone: inside, ...(note !== undefined && { note }) };
      return fitting({ ...found, ...gone });
    } finally {
      clearInterval(heartbeats);
    }
  };
}

/** What cannot be sent today cannot be sent tomorrow. */
function fitting(predecessor: Predecessor): Predecessor {
  try {
    return payload('the snapshot of the run before', predecessor);
  } catch (error) {
    throw ApplicationFailure.create({ type: PLAN_FAILED, message: (error as Error).message, nonRetryable: true });
  }
}

/** As what a child leaves is kept when it ends by itself. */
const SMALL = 1_024;
const keepLarge = async (value: Json, store: ArtifactStore): Promise<Json> =>
  JSON.stringify(value).length <= SMALL ? value : await store.putJson(value, { refs: true });

/**
 * A run that was ended from outside does not wait for its attempts: they are ended by their workers at their next heartbeat. No
 * two attempts of a task are alive at once, so the next run waits for that.
 */
async function othersEnded(attempts: string, workflowId: string, runId: string): Promise<void> {
  const mayLast = Date.now() + 2 * HEARTBEAT_TIMEOUT_MS;
  const isOther = ({ record }: { record: AttemptRecord }) =>
    (record.workflow_id === workflowId && record.run_id !== runId) || record.workflow_id.startsWith(`${workflowId}/`);
  while (Date.now() < mayLast && (await readAttempts(attempts)).some(isOther)) await delay(100);
}
