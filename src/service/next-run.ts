import type { Client } from '@temporalio/client';
import { isDirectory, whatIsGone } from '../activities/what-is-gone.ts';
import { workflowId } from '../contract/names.ts';
import { unpack } from '../contract/packed.ts';
import type { PlanInput } from '../contract/payloads.ts';
import { asFault, Fault } from '../faults.ts';
import type { JsonObject } from '../plan/json.ts';
import type { PlanStatus } from '../plan/lifecycle.ts';
import type { NextRun, RunMode } from '../plan/reuse.ts';
import type { Snapshot } from '../plan/snapshot.ts';
import { type Caller, mustHave, type Permission } from './caller.ts';
import { type Described, describeClosed, describePlan } from './described.ts';
import { mustBePlanId } from './ids.ts';
import { edited } from './next-run/edited.ts';
import { NotReplayed, snapshotOfEnded } from './next-run/ended-run.ts';
import { mustBeStart } from './next-run/from.ts';
import { endingOf, NoSnapshot } from './next-run/predecessor.ts';
import { previewOf, type RunPreview } from './next-run/preview.ts';
import { start } from './next-run/start.ts';
import { startedBy } from './next-run/started-by.ts';
import { permissionsOf } from './plan-file/permissions.ts';
import type { PlanReader } from './plan-reader.ts';
import { inputOf } from './run-input.ts';
import type { Stores } from './service.ts';
import { mustBeUsable, putBack } from './worktree-place.ts';

export interface RunRequest {
  /** `resume` keeps finished work; `retry` starts from nothing. */
  mode: RunMode;
  /** An edited plan file, checked as at creation. */
  plan?: string | undefined;
  /** In place of those given before. */
  inputs?: JsonObject | undefined;
  /** Of a resume: this task and all that depends on it run again, too. */
  from?: string | undefined;
  /** Only tell what would run. */
  dry_run?: boolean | undefined;
  /** Of a dry run: what would run if the plan, which is paused, were stopped now and resumed. */
  if_stopped?: boolean | undefined;
  /** Of a retry: by which models its tasks work. */
  model_profile?: string | undefined;
  /** Chosen by the caller: the same again starts no second run. */
  request_id?: string | undefined;
}
export interface RunStarted {
  plan_id: string;
  mode: RunMode;
  /** How often the plan has been resumed now. */
  resume_count: number;
}
export type { RunPreview };

/**
 * Starts the next run of a plan that failed or was stopped, under the same Workflow Id; Temporal lets one caller win. The run
 * is its caller's: they need to be allowed what its tasks do, as if they had made the plan. A dry run tells what it would do.
 */
export async function startNextRun(
  client: Client,
  { stores, reader }: { stores: Stores; reader: PlanReader },
  caller: Caller,
  planId: string,
  request: RunRequest,
): Promise<RunStarted | RunPreview> {
  mustHave(caller, 'plan:approve');
  mustFit(request);
  const { mode, from, request_id } = request;
  const plan_id = mustBePlanId(planId);
  const id = workflowId(caller.principal.org_id, plan_id);
  const before = await describeClosed(client, id, plan_id);
  if (request_id !== undefined && (await startedBy(client, id, before, request_id)))
    return { plan_id, mode, resume_count: before.facts.resume_count ?? 0 };
  const isPaused = request.dry_run && request.if_stopped && before.status === 'paused';
  if (!isPaused) mustHaveEnded(before, mode);
  const left = isPaused ? snapshotOfPaused(client, id, before) : snapshotOf(client, id, before);
  const [first, snapshot] = await Promise.all([inputOf(client, id, before.run_id), left]);
  const next = await edited(reader, caller, first, request);
  const definition = unpack(next.input.definition);
  for (const permission of permissionsOf(definition)) mustHave(caller, permission as Permission);
  await mustHavePlace(first);
  if (from !== undefined) mustBeStart(definition, from);
  const how: NextRun = { mode, ...(from !== undefined && { from }) };
  if (request.dry_run) {
    // Files that its branch has are not gone, though its worktree is.
    if (mode === 'resume' && first.place.worktree) await putBack(first.place.worktree, first.place);
    const gone = await whatIsGone(snapshot, stores.artifacts, stores.planFolder(plan_id));
    return previewOf(plan_id, definition, { snapshot, how, gone });
  }
  try {
    const resume_count = await start(client, caller, { before, first, next, snapshot, how, request });
    return { plan_id, mode, resume_count };
  } catch (error) {
    // The same request came twice at once, and the other of the two was first.
    const now =
      request_id !== undefined &&
      asFault(error).code === 'PLAN_NOT_RESUMABLE' &&
      (await describePlan(client, id, plan_id));
    if (!now || !(await startedBy(client, id, now, request_id))) throw error;
    return { plan_id, mode, resume_count: now.facts.resume_count ?? 0 };
  }
}

/** What a resume alone, and what a retry alone can be told. */
function mustFit({ mode, from, model_profile }: RunRequest): void {
  if (mode === 'retry' && from !== undefined)
    throw new Fault('REQUEST_INVALID', 'from: a retry runs everything again; use mode resume to run from one task on');
  if (mode === 'resume' && model_profile !== undefined)
    throw new Fault(
      'REQUEST_INVALID',
      'model_profile: a resume keeps to the models it began with; only a retry takes others',
    );
  if (model_profile !== undefined && !/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(model_profile))
    throw new Fault('REQUEST_INVALID', 'model_profile: a profile is named with letters, digits, "_" and "-"');
}

function mustHaveEnded({ open, status }: Described, mode: RunMode): void {
  if (open || (status !== 'failed' && status !== 'stopped'))
    throw new Fault(
      'PLAN_NOT_RESUMABLE',
      `a plan that is ${status} cannot be ${mode === 'retry' ? 'retried' : 'resumed'}: ${INSTEAD[status]}`,
    );
}

/** What to do in place of a next run. */
const INSTEAD: Record<PlanStatus, string> = {
  pending_review: 'it has not begun; approve it',
  stand_by: 'it goes on by itself; stop it first',
  awaiting_input: 'answer what it asks, or stop it first',
  executing: 'it is at work; stop it first, and where it is being stopped already, wait until it has ended',
  paused: 'lift its pause, or stop it first',
  completed: 'create a new plan',
  failed: 'wait until it has ended',
  stopped: 'wait until it has ended',
};

/** Read before the run is started: what cannot be gone on from is told to whoever asks, not to a run that fails by it. */
async function snapshotOf(client: Client, id: string, { run_id }: Described): Promise<Snapshot> {
  try {
    return unpack((await endingOf(client, id, run_id)).snapshot);
  } catch (error) {
    if (error instanceof NotReplayed) throw new Fault('ENGINE_UNAVAILABLE', error.message, { cause: error });
    if (!(error instanceof NoSnapshot)) throw error;
    throw new Fault('PLAN_NOT_RESUMABLE', error.message, { cause: error });
  }
}

/** What it would leave if it were stopped now. */
async function snapshotOfPaused(client: Client, id: string, { run_id }: Described): Promise<Snapshot> {
  const found = await snapshotOfEnded(client, { id, run: run_id }, async (value) => value);
  if (!found) throw new Fault('PLAN_NOT_RESUMABLE', 'it has not begun yet');
  return found;
}

/** The directory that a plan was given has to be there; its own is made anew, and so is its worktree. */
async function mustHavePlace({ place }: PlanInput): Promise<void> {
  const { directory, worktree } = place;
  if (worktree) return await mustBeUsable(worktree, place);
  if (directory === undefined || (await isDirectory(directory))) return;
  throw new Fault('PLAN_NOT_RESUMABLE', `the directory of the plan is gone: ${directory}; put it back first`);
}
