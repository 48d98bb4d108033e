import type { RetryPolicy } from './definition.ts';
import type { Json, JsonObject } from './json.ts';
import type { Warning } from './ledger.ts';
import type { LimitDetails } from './limits.ts';
import type { TaskError } from './state.ts';

/** What the workflow saw of an attempt's end, told in plain words; made from Temporal's failures at one place. */
export type Seen =
  | { how: 'returned'; outputs: JsonObject; files_in?: string; warnings?: Warning[] }
  | { how: 'failed'; type: string; message: string; details?: Json; warnings?: Warning[] }
  | { how: 'timed_out'; what: 'heartbeat' | 'start_to_close' | 'schedule'; heard?: Json }
  | { how: 'cancelled' };

/**
 * How an attempt ended. `lost`: its worker went away; it is dispatched again without spending an attempt. `kept`: the next dispatch
 * goes on behind what this one has done.
 */
export type AttemptEnd =
  | { status: 'succeeded'; outputs: JsonObject; files_in?: string; warnings?: Warning[] }
  | { status: 'failed'; error: TaskError; retryable: boolean; warnings?: Warning[] }
  | { status: 'cancelled' }
  | { status: 'lost'; message: string; kept?: true }
  /** A limit was reached, which is not the task's fault. */
  | { status: 'limited'; limit: LimitDetails; warnings?: Warning[] };

/** Failure types that say nothing about the task itself: its worker stopped, died, or was told to let go of it. */
const WORKER_GONE = ['WorkerShutdown', 'WorkerLost', 'ActivityReset', 'ActivityPause', 'AttemptSuperseded'];
/** Failures that another attempt cannot mend. */
export const FINAL_FAILURES = ['TaskInvalid', 'TaskHopeless', 'LimitReached'];

/** What the plan's calls of models are charged to. */
export interface ChargedTo {
  chat?: string;
  project?: string;
  budget?: Budget;
}
/** What a plan may spend over all its runs. `fail`: a task that would exceed it fails; else the plan is held. */
export interface Budget {
  max_tokens?: number;
  max_cost?: number;
  on_exceeded?: 'hold' | 'fail';
}

/** The one function from an attempt's end as Temporal tells it to what it means for the task. */
export function endOfAttempt(seen: Seen, chargedTo: ChargedTo = {}): AttemptEnd {
  switch (seen.how) {
    case 'returned':
      return {
        status: 'succeeded',
        outputs: seen.outputs,
        ...(seen.files_in && { files_in: seen.files_in }),
        ...(seen.warnings && { warnings: seen.warnings }),
      };
    case 'cancelled':
      return { status: 'cancelled' };
    case 'timed_out':
      if (seen.what === 'heartbeat') return lost('its worker was not heard from any more', seen.heard);
      return {
        status: 'failed',
        error: {
          code: 'TASK_TIMED_OUT',
          message: `the attempt did not end in time (${seen.what.replaceAll('_', ' ')})`,
        },
        retryable: true,
      };
    case 'failed': {
      const { type, message, details } = seen;
      if (WORKER_GONE.includes(type)) return lost(message, details);
      const told = seen.warnings && { warnings: seen.warnings };
      const limit = type === 'LimitReached' ? limitIn(details, chargedTo) : undefined;
      if (limit && !(limit.limit === 'plan' && chargedTo.budget?.on_exceeded === 'fail'))
        return { status: 'limited', limit, ...told };
      const error = { code: ERROR_CODES[type] ?? 'TASK_FAILED', message, ...(details !== undefined && { details }) };
      return { status: 'failed', error, retryable: !FINAL_FAILURES.includes(type), ...told };
    }
  }
}

/** `told`: by its last heartbeat, or by whoever reports it. */
function lost(message: string, told: Json | undefined): AttemptEnd {
  const kept = typeof told === 'object' && told !== null && !Array.isArray(told) && told.kept === true;
  return { status: 'lost', message, ...(kept && { kept }) };
}

/** An attempt that says no more than that it reached a limit met the provider's. */
function limitIn(details: Json | undefined, { chat, project }: ChargedTo): LimitDetails {
  const told = (typeof details === 'object' && details !== null && !Array.isArray(details) ? details : {}) as object;
  const scopes = { ...(chat !== undefined && { chat }), ...(project !== undefined && { project }) };
  return { limit: 'provider', ...told, ...scopes };
}

const ERROR_CODES: Record<string, string> = {
  TaskInvalid: 'TASK_INVALID',
  TaskTimedOut: 'TASK_TIMED_OUT',
  LimitReached: 'COST_LIMIT',
};

/** Losses in a row, with nothing kept and nothing else succeeding in between, after which a task fails as WORKER_LOST. */
export const LOSSES_ALLOWED = 3;

/** The delay before the attempt after `attempts` ones, in ms. */
export function backoffDelay(policy: RetryPolicy, attempts: number): number {
  return Math.min(policy.delay_ms * policy.backoff ** (attempts - 1), policy.max_delay_ms);
}
