import { rm } from 'node:fs/promises';
import { ActivityNotFoundError, ApplicationFailure, type Client } from '@temporalio/client';
import { endGroup } from '../activities/run/process-group.ts';
import { type AttemptRecord, readAttempts } from '../activities/running-attempts.ts';
import { WORKER_LOST } from '../contract/names.ts';
import { isAlive } from '../home/process-identity.ts';

/** The attempts that a dead worker of this home left running, which nobody waits for in vain any more: see `tell`. */
export interface LostAttempts {
  /**
   * Reports them as lost, so that they are dispatched again at once and not after a heartbeat time-out. What is left of their
   * commands is ended first. Gives the number reported.
   */
  tell(): Promise<number>;
}

/**
 * Finds them, and has Temporal give up the queue that was the dead worker's own: it would offer it the next Workflow Task of each
 * of its plans for that queue's time-out. Call it before a worker of this home polls, for that has such a queue of its own then.
 */
export async function findLostAttempts(client: Client, folder: string): Promise<LostAttempts> {
  const lost = (await readAttempts(folder)).filter(({ record }) => !isAlive(record.worker));
  await giveUpQueues(
    client,
    lost.map(({ record }) => record),
  ).catch(() => {}); // It only saves time.
  return {
    async tell() {
      const reported = await Promise.all(lost.map((found) => endAndReport(client, found)));
      return reported.filter(Boolean).length;
    },
  };
}

async function endAndReport(client: Client, { path, record }: { path: string; record: AttemptRecord }) {
  // The guard has ended the group when the worker died; this is for a guard that was killed, too.
  if (record.group !== undefined) await endGroup(record.group);
  // What cannot be told now waits for its heartbeat time-out; it must not keep the engine from starting.
  const told = await reportLost(client, record).catch(() => undefined);
  if (told !== undefined) await rm(path, { force: true });
  return told;
}

async function reportLost(client: Client, { workflow_id, run_id, activity_id, kept }: AttemptRecord): Promise<boolean> {
  // Temporal repeats what may be repeated; attempts have one try, and the plan decides on the next.
  const failure = ApplicationFailure.create({
    type: WORKER_LOST,
    message: 'its worker died',
    ...(kept && { details: [{ kept }] }),
  });
  try {
    await client.activity.fail({ workflowId: workflow_id, runId: run_id, activityId: activity_id }, failure);
    return true;
  } catch (error) {
    // It had ended, and been reported, just before.
    if (error instanceof ActivityNotFoundError) return false;
    throw error;
  }
}

/** Plans that are asked by which queue they were last: those of one worker all give the same. */
const ASKED = 20;

async function giveUpQueues(client: Client, lost: AttemptRecord[]): Promise<void> {
  const workflows = new Map(lost.map((record) => [record.workflow_id, record]));
  const names = await Promise.all([...workflows.values()].slice(0, ASKED).map((record) => ownQueue(client, record)));
  const { namespace } = client.options;
  await Promise.all(
    [...new Set(names)].map(
      (stickyTaskQueue) =>
        stickyTaskQueue !== undefined &&
        client.workflowService.shutdownWorker({ namespace, stickyTaskQueue, identity: 'holdpoint', reason: 'it died' }),
    ),
  );
}

/** The queue by which a plan's last Workflow Task was offered to the worker that had the plan in its memory. */
async function ownQueue(client: Client, { workflow_id, run_id }: AttemptRecord): Promise<string | undefined> {
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId: workflow_id, runId: run_id },
    maximumPageSize: 50,
  });
  const queues = history?.events?.map((event) => event.workflowTaskScheduledEventAttributes?.taskQueue) ?? [];
  return queues.find((queue) => queue?.normalName)?.name ?? undefined;
}
