import { whyKept } from '../worktree/remove.ts';
import { type WorktreeStanding, worktreeStanding } from '../worktree/standing.ts';
import type { Session } from './sessions.ts';

export type { WorktreeStanding };

/** How the worktree of a session stands, where it has one. On the machine that it is on. */
export const worktreeOf = async ({ worktree }: Session): Promise<WorktreeStanding | undefined> =>
  worktree && (await worktreeStanding(worktree));

/** Why the session's worktree would not be removed with it; undefined where it would, or there is none. */
export const worktreeHolds = async ({ worktree }: Session): Promise<string | undefined> =>
  worktree && (await whyKept(worktree));
