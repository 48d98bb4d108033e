import { type NativeConnection, Worker } from '@temporalio/worker';
import { ENGINE_QUEUE } from '../contract/names.ts';
import { HEARTBEAT_INTERVAL_MS, KILL_GRACE_MS } from '../contract/payloads.ts';
import { workflowSource } from './bundle.ts';

export interface WorkerOptions {
  connection: NativeConnection;
  namespace: string;
  identity: string;
  activities: object;
}

/** An engine's worker: workflows, and the tasks of plans that a server runs. The numbers are measured, see docs/performance. */
export async function createWorker({ connection, namespace, identity, activities }: WorkerOptions): Promise<Worker> {
  return await Worker.create({
    ...workflowSource(),
    connection,
    namespace,
    identity,
    activities,
    taskQueue: ENGINE_QUEUE,
    maxConcurrentActivityTaskExecutions: 500,
    maxEagerActivityReservationsPerWorkflowTask: 100,
    maxCachedWorkflows: 500,
    // The default of 10 s would stall every workflow for that long after its worker was killed.
    stickyQueueScheduleToStartTimeout: '500ms',
    // How soon a running attempt learns that it is to end.
    maxHeartbeatThrottleInterval: HEARTBEAT_INTERVAL_MS,
    defaultHeartbeatThrottleInterval: HEARTBEAT_INTERVAL_MS,
    // Attempts are ended at once and run again elsewhere; their commands get TERM, then KILL.
    shutdownGraceTime: 1,
    shutdownForceTime: KILL_GRACE_MS + 5_000,
  });
}
