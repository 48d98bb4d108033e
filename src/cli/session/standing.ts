import { isHeld, isLost, type Lease } from '../../home/leases.ts';
import type { PlanStatus } from '../../plan/lifecycle.ts';
import type { Session } from '../../service/sessions.ts';

/** How a session stands, in the words of its user. */
export const SESSION_STATUSES = [
  'running',
  'waiting',
  'interrupted',
  'paused',
  'failed',
  'stopped',
  'completed',
] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** Whether `--resume` goes on with it where no process has it. */
const RESUMABLE: Record<SessionStatus, boolean> = {
  running: false,
  waiting: false,
  interrupted: true,
  paused: true,
  failed: true,
  stopped: true,
  completed: false,
};

/** What is paused or in review may still be watched by the process that has it. */
export const isResumable = (status: SessionStatus, lease: Lease | undefined): boolean =>
  RESUMABLE[status] && heldBy(lease) === undefined;

/** A session and the lease on it, which tells whether a process has it. */
export function sessionStatus({ state, hold }: Session, lease: Lease | undefined): SessionStatus {
  const status = OF_STATE[state];
  if (state === 'paused') return hold === 'interrupted' ? 'interrupted' : 'paused';
  const isAtWork = status === 'running' || status === 'waiting';
  return isAtWork && lease && isLost(lease) ? 'interrupted' : status;
}

const OF_STATE: Record<PlanStatus, SessionStatus> = {
  pending_review: 'waiting',
  awaiting_input: 'waiting',
  stand_by: 'running',
  executing: 'running',
  paused: 'paused',
  completed: 'completed',
  failed: 'failed',
  stopped: 'stopped',
};

/** Where a process has it. */
export const heldBy = (lease: Lease | undefined): string | undefined =>
  lease && isHeld(lease) ? `process ${lease.pid} on ${lease.host}, in ${lease.directory}` : undefined;
