import { ApplicationFailure, activityInfo } from '@temporalio/activity';
import { type NativeConnection, Worker } from '@temporalio/worker';
import { ENGINE_QUEUE } from '../contract/names.ts';
import { HEARTBEAT_INTERVAL_MS, KILL_GRACE_MS } from '../contract/payloads.ts';
import type { Bus } from '../service/bus.ts';
import { workflowSource } from './bundle.ts';
import { hintSinks } from './hint-sinks.ts';

type Activities = Record<string, (...input: never[]) => Promise<unknown>>;

export interface WorkerOptions {
  connection: NativeConnection;
  namespace: string;
  identity: string;
  /** By their names. A promise is awaited by the first attempts, not by the worker's start. */
  activities: Activities | Promise<Activities>;
  /** Told of every plan that has moved. */
  bus?: Bus;
}

/** An engine's worker: workflows, and the tasks of plans that a server runs. The numbers are measured, see docs/performance. */
export async function createWorker(options: WorkerOptions): Promise<Worker> {
  const { connection, namespace, identity, activities, bus } = options;
  return await Worker.create({
    ...workflowSource(),
    sinks: hintSinks(bus),
    connection,
    namespace,
    identity,
    activities: { default: whenLoaded(activities) },
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

/** One function for every activity, so that a worker can start before they are loaded. */
const whenLoaded =
  (activities: WorkerOptions['activities']) =>
  async (...input: never[]) => {
    const { activityType } = activityInfo();
    const activity = (await activities)[activityType];
    if (activity) return await activity(...input);
    throw ApplicationFailure.create({ type: 'NotFoundError', message: `there is no activity ${activityType}` });
  };
