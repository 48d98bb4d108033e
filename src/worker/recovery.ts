import { rm } from 'node:fs/promises';
import { ActivityNotFoundError, ApplicationFailure, type Client } from '@temporalio/client';
import { endGroup } from '../activities/run/process-group.ts';
import { type AttemptRecord, readAttempts } from '../activities/running-attempts.ts';
import { WORKER_LOST } from '../contract/names.ts';
import { isAlive } from '../home/process-identity.ts';

/**
 * Reports the attempts that a dead worker of this home left running as lost, so that they are dispatched again at once
 * and not after a heartbeat time-out. What is left of their commands is ended first. Gives the number reported.
 */
export async function recoverLostAttempts(client: Client, folder: string): Promise<number> {
  const lost = (await readAttempts(folder)).filter(({ record }) => !isAlive(record.worker));
  const reported = await Promise.all(
    lost.map(async ({ path, record }) => {
      // The guard has ended the group when the worker died; this is for a guard that was killed, too.
      if (record.group !== undefined) await endGroup(record.group);
      // What cannot be told now waits for its heartbeat time-out; it must not keep the engine from starting.
      const told = await reportLost(client, record).catch(() => undefined);
      if (told !== undefined) await rm(path, { force: true });
      return told;
    }),
  );
  return reported.filter(Boolean).length;
}

async function reportLost(client: Client, { workflow_id, run_id, activity_id }: AttemptRecord): Promise<boolean> {
  await forgetDeadWorker(client, workflow_id, run_id);
  // Temporal repeats what may be repeated; attempts have one try, and the plan decides on the next.
  const failure = ApplicationFailure.create({ type: WORKER_LOST, message: 'its worker died' });
  try {
    await client.activity.fail({ workflowId: workflow_id, runId: run_id, activityId: activity_id }, failure);
    return true;
  } catch (error) {
    // It had ended, and been reported, just before.
    if (error instanceof ActivityNotFoundError) return false;
    throw error;
  }
}

/** Else Temporal would first offer the plan's next Workflow Task to the dead worker, for the sticky queue's time-out. */
async function forgetDeadWorker(client: Client, workflowId: string, runId: string): Promise<void> {
  await client.workflowService
    .resetStickyTaskQueue({ namespace: client.options.namespace, execution: { workflowId, runId } })
    .catch(() => {}); // It only saves time.
}
