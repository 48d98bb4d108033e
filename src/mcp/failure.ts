import type { PlanError } from '../plan/state.ts';

/** Why plans fail, in document 0's words. */
export const FAILURE_REASONS = ['generation_error', 'worker_error', 'inactivity_timeout', 'internal_error'] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

interface Kind {
  failure_reason: FailureReason;
  /** Whether the next run can keep what was finished. */
  recoverable: boolean;
}

/** By the code of the error that failed the plan; any other is an error of the task's own work. */
const KINDS: Record<string, Kind> = {
  WORKER_LOST: { failure_reason: 'worker_error', recoverable: true },
  TASK_TIMED_OUT: { failure_reason: 'inactivity_timeout', recoverable: true },
  DEADLINE_EXCEEDED: { failure_reason: 'inactivity_timeout', recoverable: true },
  QUESTION_TIMED_OUT: { failure_reason: 'inactivity_timeout', recoverable: true },
  INTERNAL: { failure_reason: 'internal_error', recoverable: true },
  CHILD_ENDED_OUTSIDE: { failure_reason: 'internal_error', recoverable: true },
  ENDED_OUTSIDE: { failure_reason: 'internal_error', recoverable: false },
};
const OF_THE_TASK: Kind = { failure_reason: 'generation_error', recoverable: true };

const LONGEST = 256;

/** The failed task and why, as `plan_status` tells it. */
export function failureOf({ code, message, task }: PlanError) {
  const kind = KINDS[code] ?? OF_THE_TASK;
  return { ...kind, failed_step: task ?? null, message: shortened(message), code };
}

/** Never cuts a character in two. */
function shortened(text: string): string {
  if (text.length <= LONGEST) return text;
  return `${text.slice(0, LONGEST - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
