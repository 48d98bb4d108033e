import type { Client } from '@temporalio/client';
import type { PlanInput } from '../contract/payloads.ts';
import { Fault } from '../faults.ts';

/** What a run was started with, from the first event of its history. */
export async function inputOf(client: Client, id: string, runId: string): Promise<PlanInput> {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId: id, runId },
    maximumPageSize: 1,
  });
  const data = history?.events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]?.data;
  if (!data) throw new Fault('PLAN_NOT_RESUMABLE', 'the plan was removed by retention');
  return JSON.parse(Buffer.from(data).toString('utf8')) as PlanInput;
}
