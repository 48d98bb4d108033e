import { ApplicationFailure, Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { asideActivities } from '../activities/asides.ts';
import { type AttemptDependencies, attemptActivity } from '../activities/attempt.ts';
import { filesGone } from '../activities/files-gone.ts';
import type { ActivityKind } from '../activities/kind.ts';
import { KINDS } from '../activities/kinds.ts';
import { LOAD_PREDECESSOR, PLAN_FAILED } from '../contract/names.ts';
import { unpack } from '../contract/packed.ts';
import { payload } from '../contract/payload-size.ts';
import type { PredecessorInput } from '../contract/payloads.ts';
import type { AnyTaskKind } from '../plan/kind.ts';
import { findPredecessor, NoSnapshot } from '../service/next-run.ts';

/** Without what the run before left there is no next run, however often it is asked for. */
function noSnapshot(error: unknown): never {
  if (!(error instanceof NoSnapshot)) throw error;
  throw ApplicationFailure.create({ type: PLAN_FAILED, message: error.message, nonRetryable: true });
}

const isActivity = (kind: AnyTaskKind): kind is ActivityKind<unknown> => kind.mode === 'activity';

/** Every activity a worker offers: one per kind that needs one, and the loading of what the run before left. */
export function createActivities(client: Client, dependencies: AttemptDependencies) {
  const attempts = KINDS.filter(isActivity).map((kind) => [kind.key, attemptActivity(kind, dependencies)] as const);
  return {
    ...Object.fromEntries(attempts),
    ...asideActivities(dependencies),
    async [LOAD_PREDECESSOR](_input: PredecessorInput) {
      const { workflowId, runId } = Context.current().info.workflowExecution!;
      const found = await findPredecessor(client, workflowId, runId).catch(noSnapshot);
      const files_gone = await filesGone(unpack(found.snapshot), dependencies.store);
      return payload('the snapshot of the run before', { ...found, files_gone });
    },
  };
}
