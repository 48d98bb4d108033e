import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { PLAN_FAILED, PLAN_STOPPED, workflowId } from '../contract/names.ts';
import { unpack } from '../contract/packed.ts';
import type { PlanInput, Predecessor } from '../contract/payloads.ts';
import { Fault } from '../faults.ts';
import type { RunMode } from '../plan/reuse.ts';
import { type Caller, mustHave, type Permission } from './caller.ts';
import { describePlan } from './described.ts';
import { mustBePlanId } from './ids.ts';
import { permissionsOf } from './plan-file/permissions.ts';
import { inputOf } from './run-input.ts';
import { startWorkflow } from './start-workflow.ts';
import { quoted } from './visibility-query.ts';

export interface RunRequest {
  /** `resume` keeps finished work; `retry` starts from nothing. */
  mode: RunMode;
  /** An edited plan file; the one it had, unless given. */
  plan?: string;
  /** This task and what depends on it run again, whatever they did before. */
  from?: string;
  /** Tells what would run, and starts nothing. */
  dry_run?: boolean;
  model_profile?: string;
  /** The caller's own; the same again starts nothing more. */
  request_id?: string;
}
export interface RunStarted {
  plan_id: string;
  mode: RunMode;
}
/** What a dry run answers. */
export interface RunPreview {
  plan_id: string;
  dry_run: true;
  /** Ids of tasks whose finished work is kept. */
  reuse: string[];
  run: string[];
  /** Why, by task. */
  reasons: Record<string, string>;
}

/**
 * Starts the next run of a plan that failed or was stopped, under the same Workflow Id; Temporal lets one caller win. The run
 * is its caller's: they need to be allowed what its tasks do, as if they had made the plan.
 */
export async function startNextRun(
  client: Client,
  caller: Caller,
  planId: string,
  { mode }: RunRequest,
): Promise<RunStarted> {
  mustHave(caller, 'plan:approve');
  const plan_id = mustBePlanId(planId);
  const id = workflowId(caller.principal.org_id, plan_id);
  const before = await describePlan(client, id, plan_id);
  if (before.open || (before.status !== 'failed' && before.status !== 'stopped'))
    throw new Fault(
      'PLAN_NOT_RESUMABLE',
      `a plan that is ${before.status} cannot be ${mode === 'retry' ? 'retried' : 'resumed'}`,
    );
  if (before.ended_outside !== undefined)
    throw new Fault('PLAN_NOT_RESUMABLE', `the plan was ${before.ended_outside}: what it had done is not known`);
  const first = await inputOf(client, id, before.run_id);
  for (const permission of permissionsOf(unpack(first.definition))) mustHave(caller, permission as Permission);
  const input: PlanInput = {
    ...first,
    carried: undefined,
    start_at: undefined,
    review: false,
    principal: caller.principal,
    trigger: caller.trigger,
    next_run: { mode, from_run: before.run_id },
  };
  try {
    await startWorkflow(
      client,
      input,
      { body_hash: '', created_at: before.created_at.getTime(), ...before.facts },
      {
        workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
        workflowIdConflictPolicy: 'FAIL',
      },
    );
    return { plan_id, mode };
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError)
      throw new Fault('PLAN_NOT_RESUMABLE', 'somebody else has started its next run already', { cause: error });
    if (error instanceof Fault) throw error;
    throw new Fault('ENGINE_UNAVAILABLE', `Temporal did not take the run: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** A run that was too large to be kept, or was ended from outside. */
export class NoSnapshot extends Error {
  override readonly name = 'NoSnapshot';
}

type PredecessorRun = Omit<Predecessor, 'files_gone'>;

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

async function endingOf(client: Client, id: string, runId: string): Promise<PredecessorRun> {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId: id, runId },
    historyEventFilterType: 2,
  });
  const failure = history?.events?.at(-1)?.workflowExecutionFailedEventAttributes?.failure?.applicationFailureInfo;
  const data = failure?.details?.payloads?.[0]?.data;
  if (!data || (failure.type !== PLAN_FAILED && failure.type !== PLAN_STOPPED))
    throw new NoSnapshot(`run ${runId} of the plan left nothing to go on from`);
  const snapshot = JSON.parse(Buffer.from(data).toString('utf8')) as Predecessor['snapshot'];
  return { run_id: runId, snapshot, state: failure.type === PLAN_STOPPED ? 'stopped' : 'failed' };
}
