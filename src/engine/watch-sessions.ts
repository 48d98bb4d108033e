import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { workflowId } from '../contract/names.ts';
import type { CommandInput } from '../contract/payloads.ts';
import { asFault } from '../faults.ts';
import { forgetReleased, isLost, type Lease, readLeases, settleLost } from '../home/leases.ts';
import { isTerminal, type PlanStatus } from '../plan/lifecycle.ts';
import { describePlan } from '../service/described.ts';

const LOOK_MS = 400;
/** For so long the last sessions of a home can be found without the list, which is behind by a moment. */
const KEPT_MS = 30_000;

/** Interrupts sessions whose process has died without letting go of them; gives what ends the watching. */
export function watchSessions(home: string, client: Client, logger: Logger): () => void {
  let watching = true;
  const watch = async () => {
    for (; watching; await delay(LOOK_MS))
      try {
        await look(home, client, logger);
      } catch (error) {
        // A home that cannot be read now, as when there are no more file descriptors, can be a moment later.
        logger.warn({ err: error }, 'could not look for sessions whose process is gone');
      }
  };
  void watch();
  return () => {
    watching = false;
  };
}

async function look(home: string, client: Client, logger: Logger): Promise<void> {
  const leases = readLeases(home);
  forgetReleased(home, leases, KEPT_MS);
  for (const lease of leases.filter(isLost))
    await interruptLost(home, client, lease).catch((error: unknown) =>
      logger.warn({ err: error, plan_id: lease.plan_id }, 'could not interrupt a session whose process is gone'),
    );
}

/**
 * The same before anything runs: plans whose engine and command line have both died are interrupted in the very step in which
 * they learn that their attempts are lost, so that none of them is made again first.
 */
export async function interruptLostSessions(home: string, client: Client): Promise<void> {
  await Promise.all(
    readLeases(home)
      .filter(isLost)
      .map((lease) => signal(client, lease, 'executing').catch(() => {})),
  );
}

/** From these a plan goes on, or would. */
const AT_WORK: readonly PlanStatus[] = ['executing', 'stand_by', 'awaiting_input'];

async function interruptLost(home: string, client: Client, lease: Lease): Promise<void> {
  const { org_id, plan_id } = lease;
  const found = await describePlan(client, workflowId(org_id, plan_id), plan_id).catch((error: unknown) => {
    if (asFault(error).code !== 'PLAN_NOT_FOUND') throw error;
  });
  if (!found?.open || isTerminal(found.status) || found.status === 'paused') return await settleLost(home, lease);
  if (AT_WORK.includes(found.status)) await signal(client, lease, found.status);
}

/** By the same request however often it is sent. */
async function signal(client: Client, lease: Lease, status: PlanStatus): Promise<void> {
  const { org_id, plan_id, pid, started, since } = lease;
  const command: CommandInput = {
    schema_version: 1,
    request_id: `lost-${pid}-${started}-${since}-${status}`,
    actor: { id: 'holdpoint', name: 'Holdpoint: its process has gone', org_id },
    at: Date.now(),
    interrupt: true,
  };
  await client.workflow.getHandle(workflowId(org_id, plan_id)).signal('pause', command);
}
