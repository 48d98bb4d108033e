import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import type { HeartbeatDetails } from '../contract/payloads.ts';
import type { TaskView } from '../plan/view.ts';

/** What only Temporal knows of a running task. */
export interface Liveness {
  /** No worker has taken its attempt yet. */
  queued?: true;
  /** When its command last wrote something, or began; up to some seconds behind. */
  last_output_at?: string;
  /** For how long nothing was written, once that is worth a look. */
  silent_ms?: number;
}

/** An activity that has not ended, as `describe` tells it. */
export interface PendingActivity {
  activityId?: string | null;
  state?: number | null;
  heartbeatDetails?: { payloads?: Payload[] | null } | null;
}

/** Silence that people should be told of. */
const SILENT_MS = 5 * 60_000;
/** Temporal's number for an activity that waits for a worker. */
const SCHEDULED = 1;

export const runsSomething = (tasks: readonly TaskView[]): boolean => tasks.some(({ status }) => status === 'running');

/** The tasks, those that run with what Temporal knows of their attempts. */
export function withLiveness(tasks: TaskView[], pending: readonly PendingActivity[], now: number) {
  const byTask = new Map(pending.map((activity) => [taskOf(activity), activity]));
  return tasks.map((task): TaskView & Liveness => {
    const activity = task.status === 'running' ? byTask.get(task.id) : undefined;
    return activity ? { ...task, ...liveness(activity, now) } : task;
  });
}

/** Activities are called `<task>#<attempt>.<dispatch>`; no task has a # in its name. */
const taskOf = ({ activityId }: PendingActivity): string => activityId?.split('#')[0] ?? '';

function liveness({ state, heartbeatDetails }: PendingActivity, now: number): Liveness {
  if (state === SCHEDULED) return { queued: true };
  const at = lastOutputAt(heartbeatDetails?.payloads?.[0]);
  if (at === undefined) return {};
  const silent_ms = now - at;
  return { last_output_at: new Date(at).toISOString(), ...(silent_ms >= SILENT_MS && { silent_ms }) };
}

/** A heartbeat of another release may hold anything. */
function lastOutputAt(payload: Payload | undefined): number | undefined {
  try {
    const details = payload && defaultPayloadConverter.fromPayload<Partial<HeartbeatDetails> | null>(payload);
    const at = details?.last_output_at;
    return typeof at === 'number' && Math.abs(at) < 8.64e15 ? at : undefined;
  } catch {
    return undefined;
  }
}
