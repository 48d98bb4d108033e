import { type Lease, readLeases } from '../../home/leases.ts';
import type { Session } from '../../service/sessions.ts';
import type { Engine } from '../with-engine.ts';
import { heldBy, isResumable, type SessionStatus, sessionStatus } from './standing.ts';

/** A session as `sessions ls --json` gives it. */
export interface SessionRow {
  session_id: string;
  plan_id: string;
  status: SessionStatus;
  resumable: boolean;
  /** Null where it is not known, as of a session that is just beginning. */
  step: number | null;
  steps: number | null;
  iteration: number | null;
  iterations: number | null;
  file: string | null;
  directory: string;
  worktree?: { path: string; branch: string };
  created_at: string;
  updated_at: string;
  /** Which process has it, of one that is running. */
  held_by?: string;
}

export function rowOf(session: Session, lease: Lease | undefined): SessionRow {
  const { session_id, plan_id, position, file = null, directory, worktree, created_at, updated_at } = session;
  const status = sessionStatus(session, lease);
  const { step = null, steps = null, iteration = null, iterations = null } = position ?? {};
  const held_by = heldBy(lease);
  return {
    session_id,
    plan_id,
    status,
    resumable: isResumable(status, lease),
    step,
    steps,
    iteration,
    iterations,
    file,
    directory,
    ...(worktree && { worktree: { path: worktree.path, branch: worktree.branch } }),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    ...(held_by !== undefined && { held_by }),
  };
}

/** Sessions, newest first, each with the lease on it: all, or all but those that completed. */
export async function sessionRows(
  { service, caller }: Engine,
  home: string,
  which?: 'unfinished',
): Promise<SessionRow[]> {
  const leases = new Map(readLeases(home).map((lease) => [lease.plan_id, lease]));
  return (await service.sessions(caller, which)).map((session) => rowOf(session, leases.get(session.plan_id)));
}
