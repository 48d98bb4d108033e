import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Place, Worktree } from '../contract/payloads.ts';
import { type GitOptions, git, gitOrNot } from './git.ts';
import { WorktreeRefused } from './refused.ts';
import { commitOf, folderOf } from './repository.ts';

/** From where a plan's worktree is made: what its caller's checkout is at, now. */
export interface Origin {
  repository: string;
  base: string;
  /** The caller's directory, from the top of their checkout; empty at the top. */
  inside: string;
  /** Where the worktrees of the repository are. */
  folder: string;
}

/** Worktrees have branches `holdpoint/NAME`. */
const PREFIX = 'holdpoint';

/** Looks at the caller's checkout, and makes nothing. Refused in words where no worktree can be made from it. */
export async function originOf({ directory, env }: Place, worktrees: string): Promise<Origin> {
  if (directory === undefined)
    throw new WorktreeRefused(
      'the plan was given no directory whose repository it could be of; start it from the command line, in a Git repository',
    );
  const options = { env };
  await git('/', ['--version'], options);
  const top = await topOf(directory, options);
  const base = await commitOf(top, 'HEAD', options);
  if (base === undefined)
    throw new WorktreeRefused(
      `the repository ${top} has no commit yet, from which a branch could begin; make one first`,
    );
  const inside = (await git(directory, ['rev-parse', '--show-prefix'], options)).replace(/\/$/, '');
  if (inside !== '' && (await gitOrNot(top, ['cat-file', '-e', `${base}:${inside}`], options)) === undefined)
    throw new WorktreeRefused(
      `the directory ${inside} is in no commit of ${top}, so that a worktree would not have it; commit it, or start from another directory`,
    );
  const repository = await mainCheckoutOf(top, options);
  if ((await commitOf(repository, `refs/heads/${PREFIX}`, options)) !== undefined)
    throw new WorktreeRefused(
      `the repository ${repository} has a branch "${PREFIX}", beside which there can be no ${PREFIX}/…; rename it: git branch -m ${PREFIX} NAME`,
    );
  return { repository, base, inside, folder: join(worktrees, await folderOf(repository)) };
}

async function topOf(directory: string, options: GitOptions): Promise<string> {
  const top = await gitOrNot(directory, ['rev-parse', '--show-toplevel'], options);
  if (top !== undefined && top !== '') return top;
  const isGit = await gitOrNot(directory, ['rev-parse', '--git-dir'], options);
  throw new WorktreeRefused(
    isGit === undefined
      ? `${directory} is in no Git repository that can be read; start from one, or make it one: git init`
      : `${directory} is no checkout of its repository; start from one`,
  );
}

/** The same for whatever worktree of the repository the caller is in: that of the caller may be gone tomorrow. */
async function mainCheckoutOf(top: string, options: GitOptions): Promise<string> {
  const [own, common] = (await git(top, ['rev-parse', '--git-dir', '--git-common-dir'], options)).split('\n');
  if (resolve(top, own!) === resolve(top, common!)) return await realpath(top);
  const list = await git(top, ['worktree', 'list', '--porcelain'], options);
  return await realpath(list.split('\n')[0]!.replace(/^worktree /, ''));
}

/** The place in which a plan of this name runs. */
export function placeIn({ repository, base, inside, folder }: Origin, place: Place, name: string): Place {
  const worktree: Worktree = { repository, path: join(folder, name), branch: `${PREFIX}/${name}`, base };
  return { ...place, directory: join(worktree.path, inside), worktree };
}

/** Names of sessions are their callers': one that a branch has already gets a number. */
export async function freeName({ repository }: Origin, { env }: Place, wanted: string): Promise<string> {
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?=[A-Za-z0-9])){0,99}$/.test(wanted) || wanted.endsWith('.lock'))
    throw new WorktreeRefused(
      `${JSON.stringify(wanted.slice(0, 120))} cannot name a branch; use letters, digits, ".", "_" and "-", at most 100`,
    );
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted}-${n}`;
    if ((await commitOf(repository, `refs/heads/${PREFIX}/${name}`, { env })) === undefined) return name;
  }
}
