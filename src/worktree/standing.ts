import type { Worktree } from '../contract/payloads.ts';
import { GitFailed, type GitOptions, git, gitOrNot } from './git.ts';
import { look } from './look.ts';
import { WorktreeRefused } from './refused.ts';
import { commitOf, commitsOf, commonDirOf } from './repository.ts';

/** How a worktree stands, for people. */
export interface WorktreeStanding {
  exists: boolean;
  /** The branch that is checked out in it, or that it would be made from; null when there is none. */
  branch: string | null;
  /** Commits since the one that it began from; null when there is neither worktree nor branch. */
  commits_ahead: number | null;
  /** Changed and new files, without those that are ignored; null when it does not exist. */
  uncommitted_files: number | null;
  /** Why it cannot be used as it is. */
  problem?: string;
}

const NOTHING: WorktreeStanding = { exists: false, branch: null, commits_ahead: null, uncommitted_files: null };

/** Changes nothing, and never throws because of how the worktree stands. */
export async function worktreeStanding(worktree: Worktree, options: GitOptions = {}): Promise<WorktreeStanding> {
  const { repository, path, branch, base } = worktree;
  try {
    const found = await look(worktree, await commonDirOf(worktree, options));
    if (found.is === 'there' || found.is === 'unmarked')
      return {
        exists: true,
        branch: (await gitOrNot(path, ['symbolic-ref', '--quiet', '--short', 'HEAD'], options)) ?? null,
        commits_ahead: await commitsOf(path, 'HEAD', [base], options),
        uncommitted_files: await uncommittedFiles(path, options),
      };
    const problem = found.is === 'replaced' ? { problem: `${path} was replaced by ${found.by}` } : {};
    const tip = await commitOf(repository, `refs/heads/${branch}`, options);
    if (tip === undefined) return { ...NOTHING, ...problem };
    return { ...NOTHING, branch, commits_ahead: await commitsOf(repository, tip, [base], options), ...problem };
  } catch (error) {
    if (!(error instanceof WorktreeRefused || error instanceof GitFailed)) throw error;
    return { ...NOTHING, problem: error.message };
  }
}

/** Each file by itself, those in new folders too; those that are ignored do not count. */
export async function uncommittedFiles(path: string, options: GitOptions = {}): Promise<number> {
  // Reading takes no lock, so that it stands in nobody's way.
  const status = await git(
    path,
    ['--no-optional-locks', 'status', '--porcelain', '-z', '--no-renames', '--untracked-files=all'],
    options,
  );
  return status.split('\0').filter((entry) => entry !== '').length;
}
