import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { ENGINE_QUEUE, LEDGER_WORKFLOW, ledgerId } from '../../contract/names.ts';
import type { LedgerInput } from '../../contract/payloads.ts';

/** Tells an organisation's ledger something; the first to tell something starts it. To signal what is there takes half as long. */
export async function signalLedger<Told>(client: Client, org_id: string, signal: string, told: Told): Promise<void> {
  const workflowId = ledgerId(org_id);
  try {
    return await client.workflow.getHandle(workflowId).signal<[Told]>(signal, told);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
  await client.workflow.signalWithStart<(input: LedgerInput) => Promise<void>, [Told]>(LEDGER_WORKFLOW, {
    workflowId,
    taskQueue: ENGINE_QUEUE,
    args: [{ schema_version: 1, org_id }],
    signal,
    signalArgs: [told],
    workflowTaskTimeout: '5s',
    staticSummary: 'what models cost',
  });
}
