import { rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Worktree } from '../contract/payloads.ts';
import { type GitOptions, git, gitOrNot } from './git.ts';
import { keep, keptOf, recordBuilder } from './kept.ts';
import { headOf, INITIALIZING, MARK, markOf, partOf, type Registration, real, registrations } from './look.ts';
import { WorktreeRefused } from './refused.ts';
import { commitOf } from './repository.ts';
import { noGitAtWork } from './stale-locks.ts';

/** What a worktree is made from: the record of it, and the common directory of its repository. */
export interface Building {
  worktree: Worktree;
  common: string;
  options: GitOptions;
}

/** Nothing is where it belongs: made from its branch, which is made too when it never was. */
export async function build({ worktree, common, options }: Building): Promise<void> {
  const { repository, path, branch } = worktree;
  await forgetRegistrations(worktree, common);
  await mustBeFree(worktree, common);
  await rmdir(path).catch(() => undefined);
  const start = (await hasBranch(worktree, options)) ? undefined : await beginningOf(worktree, options);
  // Quiet: whoever started it may be killed, and writing to nobody would end it in its middle.
  const add = ['worktree', 'add', '--quiet', ...(start === undefined ? [path, branch] : ['-b', branch, path, start])];
  await git(repository, add, {
    ...options,
    onStart: recordBuilder(worktree),
  });
  await finish(worktree, common);
}

/** Git was ended while it filled it; no command has been in it. */
export async function buildAnew(building: Building, registration: string): Promise<void> {
  await noGitAtWork(building.worktree.path);
  await rm(building.worktree.path, { recursive: true, force: true });
  await rm(registration, { recursive: true, force: true });
  await build(building);
}

/** Its files are there, with what somebody may not have committed: they stay as they are, and are known again. */
export async function register({ worktree, common, options }: Building): Promise<void> {
  const { repository, path, branch } = worktree;
  const part = partOf(worktree);
  await rm(part, { recursive: true, force: true });
  await forgetRegistrations(worktree, common);
  await mustBeFree(worktree, common);
  if (!(await hasBranch(worktree, options))) throw gone(worktree);
  await git(repository, ['worktree', 'add', '--no-checkout', part, branch], options);
  const { at } = (await registrationOf(part, common))!;
  await rename(join(part, '.git'), join(path, '.git'));
  await writeFile(join(at, 'gitdir'), `${join(await real(path), '.git')}\n`);
  await rmdir(part);
  await git(path, ['reset', '--quiet'], options);
  // Without that the checkout may have been half done.
  if (!keptOf(worktree)) await git(path, ['checkout-index', '--all', '--quiet'], options);
  await finish(worktree, common);
}

/** Made by Git, and not marked yet. */
export async function adopt({ worktree, common, options }: Building, registration: string): Promise<void> {
  if (!(await isThere(join(registration, 'index')))) await git(worktree.path, ['reset', '--quiet'], options);
  await finish(worktree, common);
}

async function finish(worktree: Worktree, common: string): Promise<void> {
  const { at } = (await registrationOf(worktree.path, common))!;
  keep(worktree);
  await writeFile(join(at, MARK), `${markOf(worktree)}\n`);
}

/** What a worktree of before left in the repository. A lock that somebody put on it is theirs. */
async function forgetRegistrations(worktree: Worktree, common: string): Promise<void> {
  for (const directory of [worktree.path, partOf(worktree)]) {
    const before = await registrationOf(directory, common);
    if (!before) continue;
    if (before.locked !== undefined && before.locked !== INITIALIZING)
      throw new WorktreeRefused(
        `the worktree ${worktree.path} is gone, and locked${before.locked && ` (${before.locked})`}; bring it back, or unlock it: git -C ${worktree.repository} worktree unlock ${worktree.path}`,
      );
    await rm(before.at, { recursive: true, force: true });
  }
}

async function registrationOf(directory: string, common: string): Promise<Registration | undefined> {
  const wanted = await real(directory);
  for (const one of await registrations(common)) if ((await real(one.directory)) === wanted) return one;
  return undefined;
}

/** A branch is in one checkout at a time. */
async function mustBeFree({ path, branch, repository }: Worktree, common: string): Promise<void> {
  const elsewhere = (await registrations(common)).find(({ head }) => head === branch)?.directory;
  const at = elsewhere ?? ((await headOf(common)) === branch ? repository : undefined);
  if (at !== undefined)
    throw new WorktreeRefused(
      `the branch ${branch} of the plan is checked out at ${at}, so that its worktree ${path} cannot be made from it; switch to another branch there`,
    );
}

/** Refused when it is another one that only has its name. */
async function hasBranch(worktree: Worktree, options: GitOptions): Promise<boolean> {
  const { repository, branch, base, path } = worktree;
  const tip = await commitOf(repository, `refs/heads/${branch}`, options);
  if (tip === undefined) return false;
  const isOwn =
    keptOf(worktree) !== undefined ||
    (await gitOrNot(repository, ['merge-base', '--is-ancestor', base, tip], options)) !== undefined;
  if (isOwn) return true;
  throw new WorktreeRefused(
    `the branch ${branch} of ${repository} does not come from ${base}, which the worktree ${path} began from; rename it: git branch -m ${branch} NAME`,
  );
}

/** The commit that a branch which is not there begins at. One that somebody removed may have had commits that nobody else has. */
async function beginningOf(worktree: Worktree, options: GitOptions): Promise<string> {
  const { repository, base } = worktree;
  const kept = keptOf(worktree);
  if (kept && kept.tip === undefined) throw gone(worktree);
  const start = kept?.tip ?? base;
  if ((await commitOf(repository, start, options)) !== undefined) return start;
  throw new WorktreeRefused(
    `the commit ${start}, from which the worktree ${worktree.path} would be made, is no longer in ${repository}; fetch it`,
  );
}

const gone = ({ repository, path, branch, base }: Worktree) =>
  new WorktreeRefused(
    `the branch ${branch} of the plan is gone from ${repository}, and with it the work of its worktree ${path}; bring it back (git branch ${branch} COMMIT), or begin it again: git branch ${branch} ${base}`,
  );

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
