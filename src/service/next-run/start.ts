import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { unpack } from '../../contract/packed.ts';
import type { PlanInput } from '../../contract/payloads.ts';
import { Fault } from '../../faults.ts';
import { nextRunState } from '../../plan/next-run.ts';
import { progress } from '../../plan/progress.ts';
import type { NextRun } from '../../plan/reuse.ts';
import type { Snapshot } from '../../plan/snapshot.ts';
import type { Caller } from '../caller.ts';
import type { Described } from '../described.ts';
import type { RunRequest } from '../next-run.ts';
import { hashOfFile } from '../source.ts';
import { type PlanFacts, startWorkflow } from '../start-workflow.ts';
import type { Edited } from './edited.ts';

export interface Next {
  before: Described;
  first: PlanInput;
  next: Edited;
  how: NextRun;
  snapshot: Snapshot;
  request: Pick<RunRequest, 'model_profile' | 'request_id' | 'plan'>;
}

/** Starts the run; throws PLAN_NOT_RESUMABLE when somebody else was first. Gives how often the plan has been resumed now. */
export async function start(client: Client, caller: Caller, given: Next): Promise<number> {
  const { before, first, next, how, snapshot } = given;
  const { request } = given;
  const { model_profile, request_id } = request;
  const input: PlanInput = {
    ...first,
    ...next.input,
    carried: undefined,
    start_at: undefined,
    review: false,
    principal: caller.principal,
    trigger: caller.trigger,
    ...(model_profile !== undefined && { model_profile }),
    next_run: { ...how, from_run: before.run_id, ...(request_id !== undefined && { request_id }) },
  };
  const { labels = before.facts.labels } = next;
  const resume_count = (before.facts.resume_count ?? 0) + (how.mode === 'resume' ? 1 : 0);
  const facts = {
    body_hash: '',
    created_at: before.created_at.getTime(),
    ...before.facts,
    ...(labels && { labels }),
    ...sessionNow(before, request.plan),
    begins: beginningOf(next, snapshot, how),
    trigger: caller.trigger,
    resume_count,
  };
  try {
    await startWorkflow(client, input, facts, {
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      workflowIdConflictPolicy: 'FAIL',
    });
    return resume_count;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError)
      throw new Fault('PLAN_NOT_RESUMABLE', 'somebody else has started its next run already', { cause: error });
    if (error instanceof Fault) throw error;
    throw new Fault('ENGINE_UNAVAILABLE', `Temporal did not take the run: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** A session that goes on by an edited file is of that file from now on. */
const sessionNow = ({ facts: { session } }: Described, plan: string | undefined): Pick<PlanFacts, 'session'> =>
  session && plan !== undefined ? { session: { ...session, file_hash: hashOfFile(plan) } } : {};

/** Where it will begin, as far as that is known before it is looked what is gone. */
function beginningOf({ input }: Edited, snapshot: Snapshot, how: NextRun): PlanFacts['begins'] {
  const definition = unpack(input.definition);
  const state = nextRunState(definition, snapshot, how);
  return { run: state.run, progress: progress({ definition, state, given: 0 }) };
}
