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
  /** When its attempt last called a model, where it did; up to some seconds behind. */
  last_llm_call_at?: string;
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
  const { last_output_at: at, last_llm_call_at: called } = timesIn(heartbeatDetails?.payloads?.[0]);
  if (at === undefined) return {};
  const silent_ms = now - at;
  return {
    last_output_at: new Date(at).toISOString(),
    ...(silent_ms >= SILENT_MS && { silent_ms }),
    ...(called !== undefined && { last_llm_call_at: new Date(called).toISOString() }),
  };
}

/** A heartbeat of another release may hold anything. */
function timesIn(payload: Payload | undefined): Partial<HeartbeatDetails> {
  try {
    const details = payload && defaultPayloadConverter.fromPayload<Partial<HeartbeatDetails> | null>(payload);
    const times = [details?.last_output_at, details?.last_llm_call_at].map((at) => (isTime(at) ? at : undefined));
    const [last_output_at, last_llm_call_at] = times;
    return {
      ...(last_output_at !== undefined && { last_output_at }),
      ...(last_llm_call_at !== undefined && { last_llm_call_at }),
    };
  } catch {
    return {};
  }
}

export const isTime = (at: unknown): at is number => typeof at === 'number' && Math.abs(at) < 8.64e15;
