import { rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Worktree } from '../contract/payloads.ts';
import { GitFailed, type GitOptions, git } from './git.ts';
import { alone, forgetKept, keep, keptOf } from './kept.ts';
import { headOf, type Look, look, registrations } from './look.ts';
import { WorktreeRefused } from './refused.ts';
import { commitOf, commitsOf, commonDirOf } from './repository.ts';
import { uncommittedFiles } from './standing.ts';

/** What was removed, and why the rest is kept. */
export interface Removal {
  removed: ('worktree' | 'branch')[];
  kept: { what: 'worktree' | 'branch'; why: string }[];
}

/**
 * Removes a worktree and its branch, as far as nothing is lost by that: no file that is not committed, and no commit that is
 * on no other branch. What is ignored goes with the worktree. Never throws because of how the worktree stands.
 */
export async function removeWorktree(worktree: Worktree, options: GitOptions = {}): Promise<Removal> {
  const removal: Removal = { removed: [], kept: [] };
  try {
    const common = await commonDirOf(worktree, options);
    await alone(worktree, async () => {
      if (!(await removeDirectory(worktree, common, options, removal))) return;
      await removeBranch(worktree, common, options, removal);
    });
    await rmdir(dirname(worktree.path)).catch(() => undefined);
  } catch (error) {
    if (!(error instanceof WorktreeRefused || error instanceof GitFailed)) throw error;
    removal.kept.push({ what: 'worktree', why: error.message });
  }
  return removal;
}

/** Why a worktree would be kept; undefined where it could be removed, or is not there. */
export async function whyKept(worktree: Worktree, options: GitOptions = {}): Promise<string | undefined> {
  try {
    return await inTheWay(worktree, await look(worktree, await commonDirOf(worktree, options)), options);
  } catch (error) {
    if (!(error instanceof WorktreeRefused || error instanceof GitFailed)) throw error;
    return error.message;
  }
}

async function inTheWay(worktree: Worktree, found: Look, options: GitOptions): Promise<string | undefined> {
  if (found.is === 'missing') return undefined;
  const why =
    found.is === 'there' || found.is === 'unmarked' ? await unsaved(worktree, options) : NOT_OURS[found.is](found);
  return why && `${worktree.path}: ${why}`;
}

/** Whether there is none any more. */
async function removeDirectory(worktree: Worktree, common: string, options: GitOptions, removal: Removal) {
  const { path, repository } = worktree;
  const found = await look(worktree, common);
  const why = await inTheWay(worktree, found, options);
  if (why !== undefined) {
    removal.kept.push({ what: 'worktree', why });
    return false;
  }
  if (found.is === 'missing') return true;
  // Without --force: what was written since is looked for by Git itself.
  await git(repository, ['worktree', 'remove', path], options);
  removal.removed.push('worktree');
  return true;
}

const NOT_OURS = {
  replaced: (found: object) => `it was replaced by ${'by' in found ? found.by : 'something else'}`,
  unregistered: () => 'its repository does not know it any more; what is not committed in it cannot be told',
  unfinished: () => 'Git was ended while it made it; a resume makes it anew',
};

/** What would be lost with the worktree. */
async function unsaved({ path }: Worktree, options: GitOptions): Promise<string | undefined> {
  const files = await uncommittedFiles(path, options);
  if (files > 0) return `${files} ${files === 1 ? 'file' : 'files'} in it not committed; commit or remove them first`;
  const commits = await commitsOf(path, 'HEAD', ['--branches', '--remotes', '--tags'], options);
  if (commits > 0) return `${inWords(commits)} in it on no branch; give them one first: git -C ${path} switch -c NAME`;
  return undefined;
}

async function removeBranch(worktree: Worktree, common: string, options: GitOptions, removal: Removal): Promise<void> {
  const { repository, branch, base } = worktree;
  const tip = await commitOf(repository, `refs/heads/${branch}`, options);
  if (tip === undefined) return;
  const isElsewhere = [await headOf(common), ...(await registrations(common)).map(({ head }) => head)].includes(branch);
  if (isElsewhere) {
    removal.kept.push({ what: 'branch', why: `${branch}: it is checked out; switch to another branch there first` });
    return;
  }
  const isEmpty = (await commitsOf(repository, tip, [base], options)) === 0;
  const others = [`--exclude=${branch}`, '--branches', '--remotes', 'HEAD'];
  const own = isEmpty ? 0 : await commitsOf(repository, tip, others, options);
  if (own > 0) {
    removal.kept.push({
      what: 'branch',
      why: `${branch}: ${inWords(own)} on no other branch; merge it (git merge ${branch}), or remove it: git branch -D ${branch}`,
    });
    return;
  }
  // A resume goes on from there, not from before the work.
  if (isEmpty) forgetKept(worktree);
  else keep(worktree, tip);
  // Only while it is where it was seen.
  await git(repository, ['update-ref', '-d', `refs/heads/${branch}`, tip], options).catch((error: unknown) => {
    if (keptOf(worktree)?.tip !== undefined || isEmpty) keep(worktree);
    throw error;
  });
  removal.removed.push('branch');
}

const inWords = (commits: number) => (commits === 1 ? '1 commit is' : `${commits} commits are`);
