import { setTimeout as sleep } from 'node:timers/promises';
import { connectClient } from './connection.ts';
import type { ServerProcess } from './server-process.ts';

const START_LIMIT_MS = 60_000;
/** Longer than any server takes from its start to finding its port taken. */
const OURS_AFTER_MS = 5000;

export type StartOutcome = 'ready' | 'ended' | 'silent';

/** Waits until the server that was just started answers and has its namespace, or has ended. */
export async function waitUntilReady(server: ServerProcess, address: string): Promise<StartOutcome> {
  // 0.3 s of loading that would otherwise follow the server's start; a failure shows when it is used.
  import('@temporalio/client').catch(() => undefined);
  const began = performance.now();
  const elapsed = () => performance.now() - began;
  let isBound = false;
  while (elapsed() < START_LIMIT_MS) {
    if (server.hasEnded()) return 'ended';
    // Until ours has its port, another program may have taken it and be the one that answers.
    isBound ||= server.output().includes('Server:') || elapsed() > OURS_AFTER_MS;
    if (isBound && (await answers(address, 2000))) return server.hasEnded() ? 'ended' : 'ready';
    await sleep(20);
  }
  return 'silent';
}

/** Whether a Temporal server answers there, with its namespace, within the time. */
export async function answers(address: string, withinMs: number): Promise<boolean> {
  try {
    const connection = await connectClient({ address }, withinMs);
    try {
      const ask = () => connection.workflowService.describeNamespace({ namespace: 'default' });
      await connection.withDeadline(Date.now() + withinMs, ask);
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
}
