import { randomUUID } from 'node:crypto';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { LedgerEntries, LedgerInput } from '../../contract/ledger-payloads.ts';
import { ENGINE_QUEUE, LEDGER_ENTRIES, LEDGER_TOLD, LEDGER_WORKFLOW, ledgerId } from '../../contract/names.ts';
import type { Reserved } from '../../plan/ledger.ts';

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

/** One that a worker takes is answered in some ten milliseconds; one whose worker was killed, when its time is over. */
const ANSWER_MS = 10_000;

/** Tells it, and has what became of the reservations among it, in their order; see `ledger.decision.md`. */
export function askLedger(client: Client, org_id: string) {
  // The same for every try: one that is still under way is not begun again.
  const updateId = randomUUID();
  return async (entries: LedgerEntries): Promise<(Reserved | null)[]> => {
    const ask = () =>
      client.withDeadline(Date.now() + ANSWER_MS, () =>
        client.workflow
          .getHandle(ledgerId(org_id))
          .executeUpdate<(Reserved | null)[], [LedgerEntries]>(LEDGER_TOLD, { args: [entries], updateId }),
      );
    return await ask().catch(async (error: unknown) => {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      await signalLedger(client, org_id, LEDGER_ENTRIES, { schema_version: 1, entries: [] } satisfies LedgerEntries);
      return await ask();
    });
  };
}
