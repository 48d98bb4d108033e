import { type Client, WorkflowFailedError } from '@temporalio/client';
import { workflowId } from '../../contract/names.ts';

/** How a plan ended, as soon as it has; undefined when it has not after so long. */
export async function awaitEnd(
  client: Client,
  orgId: string,
  planId: string,
  patienceMs: number,
): Promise<'completed' | 'otherwise' | undefined> {
  const gone = new AbortController();
  const late = new Promise<undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), patienceMs);
    gone.signal.addEventListener('abort', () => clearTimeout(timer));
  });
  const ended = client.connection
    .withAbortSignal(gone.signal, () => client.workflow.getHandle(workflowId(orgId, planId)).result())
    .then(
      () => 'completed' as const,
      (error: unknown) => {
        if (error instanceof WorkflowFailedError) return 'otherwise' as const;
        throw error;
      },
    );
  ended.catch(() => {});
  return await Promise.race([ended, late]).finally(() => gone.abort());
}
