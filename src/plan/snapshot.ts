import type { Segment } from './events.ts';
import type { Outcome } from './outcome.ts';
import { type Plan, taskAt } from './plan.ts';
import type { Expected, TaskError, TaskState } from './state.ts';

/** What the next run of a plan starts from; kept in the ending of the run before it. Tasks by id, for the file may be edited. */
export interface Snapshot {
  schema_version: 1;
  /** 2: it says how every task ended. Absent in those that older code wrote: they know only what succeeded. */
  rules?: 2;
  run: number;
  generation: number;
  created_at: number;
  created_by: string;
  seq: number;
  segments: Segment[];
  outcomes: Outcome[];
  tasks: Record<string, TaskSnapshot>;
}
export type TaskSnapshot = Pick<TaskState, 'asked'> &
  Partial<Pick<TaskState, 'outputs' | 'files_in' | 'ended_at' | 'answered' | 'map' | 'left' | 'made' | 'again'>> & {
    /** Set for a succeeded task: what it was when it succeeded. */
    fingerprint?: string;
    /** Set for a task that began and did not succeed: what it was then. */
    begun?: string;
    /** Set where the plan went on without its success. */
    settled?: Settled;
    /** Set for what a condition kept from running, and for what was to end as before when its run ended. */
    expected?: { way: Expected; fingerprint: string; skipped?: true };
  };

/** A failure that the plan was to go on after, or a task that somebody decided to skip. */
export interface Settled {
  status: 'failed' | 'skipped';
  /** What the task was then. */
  fingerprint: string;
  error?: TaskError;
  reason?: string;
}

export function snapshotOf(plan: Plan, runId: string): Snapshot {
  const { run, generation, created_at, created_by, seq, outcomes, segments } = plan.state;
  const from_seq = (segments.at(-1)?.to_seq ?? 0) + 1;
  return {
    schema_version: 1,
    rules: 2,
    run,
    generation,
    created_at,
    created_by,
    seq,
    segments: [...segments, { run_id: runId, from_seq, to_seq: seq }],
    outcomes,
    tasks: Object.fromEntries(plan.definition.tasks.map(({ id }, i) => [id, taskSnapshot(plan, i)])),
  };
}

function taskSnapshot(plan: Plan, i: number): TaskSnapshot {
  const { task, at } = taskAt(plan, i);
  const { asked, again, outputs, files_in, ended_at, answered, map, left, made } = at;
  const { fingerprint, handler } = task;
  const always = { asked, ...(again !== undefined && { again }) };
  // Handlers belong to the ending of their own run.
  if (handler) return always;
  if (at.status === 'succeeded')
    return { ...always, outputs, files_in, ended_at, answered, fingerprint, ...(made && { made }) };
  const settled = settledOf(plan, i);
  if (settled) return { ...always, ended_at, answered, settled };
  if (at.status === 'skipped') return { ...always, expected: { way: 'kept', fingerprint, skipped: true } };
  const begun = at.attempts > 0 || map || left !== undefined;
  return {
    ...always,
    ...(map && { map }),
    ...(left !== undefined && { left }),
    ...(begun && { begun: fingerprint }),
    ...(at.expected && at.status !== 'failed' && { expected: { way: at.expected, fingerprint } }),
  };
}

/** A condition is decided anew by every run; what somebody decided is not asked again. */
function settledOf(plan: Plan, i: number): Settled | undefined {
  const { task, at } = taskAt(plan, i);
  const { fingerprint } = task;
  // In a plan that is failing nothing is tried again: what had tries left has not had them.
  const exhausted = plan.index.fatal.length === 0 || at.attempts - (at.forgiven ?? 0) >= task.retry.max_attempts;
  if (at.status === 'failed' && task.on_failure === 'continue' && exhausted)
    return { status: 'failed', fingerprint, ...(at.error && { error: at.error }) };
  if (at.status === 'skipped' && at.answered)
    return { status: 'skipped', fingerprint, ...(at.reason !== undefined && { reason: at.reason }) };
  return undefined;
}
