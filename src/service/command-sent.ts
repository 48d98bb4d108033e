import type { Client } from '@temporalio/client';
import { SIGNALS } from '../contract/names.ts';
import { OUTCOMES_KEPT } from '../plan/outcome.ts';

/** Histories that are looked through, the newest first: a plan that was carried over has several. */
const MOST_RUNS = 20;

/**
 * Whether a command was ever sent to a plan, from Temporal's history: `kept` when its outcome has still to be there,
 * `forgotten` when so many came after it that it is not. Needs no worker.
 */
export async function commandSent(
  client: Client,
  id: string,
  requestId: string,
): Promise<'kept' | 'forgotten' | undefined> {
  let after = 0;
  let run: string | undefined;
  for (let runs = 0; runs < MOST_RUNS; runs++) {
    const { signals, earlier } = await signalsOf(client, id, run);
    const place = signals.lastIndexOf(requestId);
    if (place !== -1) return after + signals.length - place > OUTCOMES_KEPT ? 'forgotten' : 'kept';
    after += signals.length;
    if (!earlier) return undefined;
    run = earlier;
  }
  return undefined;
}

/** The `request_id` of every command in one history, in order, and the run that it was carried over from. */
async function signalsOf(client: Client, workflowId: string, runId: string | undefined) {
  const signals: string[] = [];
  let earlier: string | undefined;
  let nextPageToken: Uint8Array | undefined;
  do {
    const page = await client.workflowService.getWorkflowExecutionHistory({
      namespace: client.options.namespace,
      execution: { workflowId, runId },
      nextPageToken,
    });
    for (const {
      workflowExecutionStartedEventAttributes: started,
      workflowExecutionSignaledEventAttributes: signaled,
    } of page.history?.events ?? []) {
      earlier ??= started?.continuedExecutionRunId || undefined;
      if (signaled && (SIGNALS as readonly string[]).includes(signaled.signalName ?? ''))
        signals.push(requestIdIn(signaled.input?.payloads?.[0]?.data));
    }
    nextPageToken = page.nextPageToken?.length ? page.nextPageToken : undefined;
  } while (nextPageToken);
  return { signals, earlier };
}

/** Operators send what they like. */
function requestIdIn(data: Uint8Array | null | undefined): string {
  try {
    const sent = JSON.parse(Buffer.from(data ?? []).toString('utf8')) as { request_id?: unknown } | null;
    return typeof sent?.request_id === 'string' ? sent.request_id : '';
  } catch {
    return '';
  }
}
