import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';

const { WorkflowTaskFailedCause: Cause, TimeoutType } = proto.temporal.api.enums.v1;
const START_TO_CLOSE = TimeoutType.TIMEOUT_TYPE_START_TO_CLOSE;

/** Why a plan does not answer though a worker is up. */
export interface Standstill {
  /** No worker has ever moved it. */
  unbegun?: true;
  /** The worker's code cannot go on with it, and why. */
  stuck?: string;
}

/** What Temporal writes when the code does not do what it did; the failures of tries after the first it does not write. */
const STUCK: Partial<Record<number, string>> = {
  [Cause.WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR]: 'code mismatch',
  [Cause.WORKFLOW_TASK_FAILED_CAUSE_WORKFLOW_WORKER_UNHANDLED_FAILURE]: 'an error in the workflow code',
};

/** Reads it off the end of the history, by the last Workflow Task that ended; undefined: it may well answer yet. */
export async function standstillOf(client: Client, workflowId: string): Promise<Standstill | undefined> {
  const { history, nextPageToken } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId },
    maximumPageSize: 100,
  });
  for (const event of history?.events ?? []) {
    if (event.workflowTaskCompletedEventAttributes) return undefined;
    const failed = event.workflowTaskFailedEventAttributes;
    const what = STUCK[failed?.cause ?? 0];
    if (what) return { stuck: `${what}: ${firstLine(failed?.failure?.message) || 'no reason was given'}` };
    if (event.workflowTaskTimedOutEventAttributes?.timeoutType === START_TO_CLOSE) {
      const tries = await triesOf(client, workflowId);
      if (tries > TRIES)
        return { stuck: `no worker gets through its next step, tried ${tries - 1} times; logs/engine.log says why` };
    }
  }
  return nextPageToken?.length ? undefined : { unbegun: true };
}

/** One may have fallen to a worker that was killed or had just begun. */
const TRIES = 2;

/** Including the one under way. Of those after the first only this number is known: a worker lets them time out, whatever is wrong. */
async function triesOf(client: Client, workflowId: string): Promise<number> {
  const { raw } = await client.workflow.getHandle(workflowId).describe();
  return raw.pendingWorkflowTask?.attempt ?? 0;
}

const firstLine = (text: string | null | undefined): string => (text ?? '').split('\n', 1).join('').slice(0, 500);
