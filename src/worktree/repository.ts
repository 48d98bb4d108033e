import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Worktree } from '../contract/payloads.ts';
import { type GitOptions, git, gitOrNot } from './git.ts';
import { WorktreeRefused } from './refused.ts';

/** Of each main checkout, once asked: it does not move while it is there. */
const commonDirs = new Map<string, string>();

/** Where a repository keeps what all its worktrees share. Refused when it is not there any more. */
export async function commonDirOf({ repository }: Pick<Worktree, 'repository'>, options?: GitOptions): Promise<string> {
  const known = commonDirs.get(repository);
  if (known !== undefined && (await isThere(known))) return known;
  const found = (await isThere(repository))
    ? await gitOrNot(repository, ['rev-parse', '--git-common-dir'], options)
    : undefined;
  const common = found === undefined ? undefined : await realpath(resolve(repository, found));
  // A directory above may be a repository, too.
  const isOwn =
    common !== undefined && (common === resolve(repository, '.git') || (await isTopOf(repository, options)));
  if (!isOwn)
    throw new WorktreeRefused(
      `the repository of the plan's worktree is gone: ${repository}; put it back, or move it back there`,
    );
  commonDirs.set(repository, common);
  return common;
}

async function isTopOf(repository: string, options?: GitOptions): Promise<boolean> {
  const top = await gitOrNot(repository, ['rev-parse', '--show-toplevel'], options);
  const directory = top ?? (await gitOrNot(repository, ['rev-parse', '--absolute-git-dir'], options));
  return directory !== undefined && (await realpath(directory)) === (await realpath(repository));
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** The commit that a name stands for; undefined when there is none. */
export const commitOf = (repository: string, name: string, options?: GitOptions): Promise<string | undefined> =>
  gitOrNot(repository, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`], options);

/** How many commits `from` has that none of `others` has. */
export const commitsOf = async (directory: string, from: string, others: string[], options?: GitOptions) =>
  Number(await git(directory, ['rev-list', '--count', from, '--not', ...others, '--'], options));

/** A folder's name for the worktrees of a repository: two of the same name are told apart by where they are. */
export async function folderOf(repository: string): Promise<string> {
  const hash = createHash('sha256')
    .update(await realpath(repository))
    .digest('hex')
    .slice(0, 8);
  const name = basename(repository)
    .replaceAll(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^\.+/, '')
    .slice(0, 60);
  return `${name || 'repository'}-${hash}`;
}
