import { type WorktreeStanding, worktreeStanding } from '../worktree/standing.ts';
import type { Session } from './sessions.ts';

export type { WorktreeStanding };

/** How the worktree of a session stands, where it has one. On the machine that it is on. */
export const worktreeOf = async ({ worktree }: Session): Promise<WorktreeStanding | undefined> =>
  worktree && (await worktreeStanding(worktree));
