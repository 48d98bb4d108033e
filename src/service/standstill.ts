import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';

const { WorkflowTaskFailedCause: Cause } = proto.temporal.api.enums.v1;

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
  }
  return nextPageToken?.length ? undefined : { unbegun: true };
}

const firstLine = (text: string | null | undefined): string => (text ?? '').split('\n', 1).join('').slice(0, 500);
