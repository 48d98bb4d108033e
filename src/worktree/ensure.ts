import type { Worktree } from '../contract/payloads.ts';
import { adopt, build, buildAnew, register } from './build.ts';
import { type GitOptions, git } from './git.ts';
import { alone } from './kept.ts';
import { type Look, look, real } from './look.ts';
import { WorktreeRefused } from './refused.ts';
import { commonDirOf } from './repository.ts';
import { isLocked, removeStaleLocks } from './stale-locks.ts';

/** Attempts of one plan ask at once: those that come while it is looked into wait for the same answer. */
const asked = new Map<string, Promise<void>>();

/**
 * Makes it so that a plan's worktree is there, that its repository knows it, and that no dead Git keeps it locked. Where all is
 * well this reads a few files. Throws WorktreeRefused when something else is in its place, or what it was made from is gone.
 */
export async function ensureWorktree(worktree: Worktree, options: GitOptions = {}): Promise<void> {
  const { path } = worktree;
  const going = asked.get(path) ?? ensure(worktree, options).finally(() => asked.delete(path));
  asked.set(path, going);
  await going;
}

/** Throws WorktreeRefused when the worktree could not be used, nor made again; makes nothing. */
export async function mustNotBeReplaced(worktree: Worktree, options: GitOptions = {}): Promise<Look['is']> {
  const found = await look(worktree, await commonDirOf(worktree, options));
  if (found.is === 'replaced') throw replaced(worktree, found.by);
  return found.is;
}

/** Worktrees that Git itself has confirmed to this process. */
const confirmed = new Set<string>();

async function ensure(worktree: Worktree, options: GitOptions): Promise<void> {
  const { path, branch } = worktree;
  const common = await commonDirOf(worktree, options);
  const found = await look(worktree, common);
  if (found.is === 'replaced') throw replaced(worktree, found.by);
  const isFree = found.is === 'there' && !(await isLocked({ ...found, path, common, branch }));
  if (isFree && confirmed.has(path)) return;
  await alone(worktree, () => mend({ worktree, common, options }));
  await mustBeConfirmed(worktree, options);
}

async function mend(building: { worktree: Worktree; common: string; options: GitOptions }): Promise<void> {
  const { worktree, common } = building;
  // Another process may have been first.
  const found = await look(worktree, common);
  if (found.is === 'replaced') throw replaced(worktree, found.by);
  if (found.is === 'missing') await build(building);
  else if (found.is === 'unfinished') await buildAnew(building, found.registration);
  else if (found.is === 'unregistered') await register(building);
  else if (found.is === 'unmarked') await adopt(building, found.registration);
  const now = await look(worktree, common);
  if (now.is === 'there') await removeStaleLocks({ ...now, path: worktree.path, common, branch: worktree.branch });
}

/** The links were read here; that Git reads them in the same way is asked once. */
async function mustBeConfirmed({ path }: Worktree, options: GitOptions): Promise<void> {
  if (confirmed.has(path)) return;
  const top = await git(path, ['rev-parse', '--show-toplevel'], options);
  if ((await real(top)) !== (await real(path)))
    throw new WorktreeRefused(`Git takes ${path} for a part of ${top}, not for a worktree; see what is in its way`);
  confirmed.add(path);
}

const replaced = ({ path, branch }: Worktree, by: string) =>
  new WorktreeRefused(
    `the worktree ${path} of the plan was replaced by ${by}; move that away, and resume: the worktree is made again from its branch ${branch}`,
  );
