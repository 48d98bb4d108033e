import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Worktree } from '../contract/payloads.ts';

/**
 * What is where a worktree belongs, told by the files that link a worktree and its repository to each other, as Git itself
 * tells it; no process is started. `registration` is what the repository has of it, below `worktrees` of its common directory.
 */
export type Look =
  | { is: 'there'; registration: string }
  /** Nobody has been in it since Git made it. */
  | { is: 'unmarked'; registration: string }
  /** Git was ended while it filled it. */
  | { is: 'unfinished'; registration: string }
  /** Nothing is in it. */
  | { is: 'missing' }
  /** Its files are there, and the repository no longer knows it. */
  | { is: 'unregistered' }
  | { is: 'replaced'; by: string };

/** Beside HEAD, in the registration: for which branch Holdpoint made the worktree. Whoever was in it may be on another one. */
export const MARK = 'holdpoint-branch';
export const markOf = ({ branch, base }: Worktree): string => `${branch} ${base}`;

/** Where a worktree is put together whose files are there already. */
export const partOf = ({ path }: Worktree): string => join(dirname(path), `.${basename(path)}.new`);

export async function look(worktree: Worktree, common: string): Promise<Look> {
  const { path } = worktree;
  const found = await lstat(path).catch(noneIf('ENOENT', 'ENOTDIR'));
  if (!found) return { is: 'missing' };
  if (!found.isDirectory()) return { is: 'replaced', by: found.isSymbolicLink() ? 'a symbolic link' : 'a file' };
  const link = await readFile(join(path, '.git'), 'utf8').catch((error: NodeJS.ErrnoException) => error);
  if (link instanceof Error) {
    if (link.code === 'EISDIR') return { is: 'replaced', by: 'another repository' };
    if (link.code !== 'ENOENT') throw link;
    return (await readdir(path)).length === 0
      ? { is: 'missing' }
      : { is: 'replaced', by: 'a directory that is no worktree' };
  }
  const registration = linked(link, path);
  if (registration === undefined) return { is: 'replaced', by: 'a directory that is no worktree' };
  const [parent, worktrees] = await Promise.all([real(dirname(registration)), real(join(common, 'worktrees'))]);
  if (parent !== worktrees) return { is: 'replaced', by: `a worktree of another repository (${registration})` };
  return await lookAtRegistration(worktree, registration);
}

async function lookAtRegistration(worktree: Worktree, registration: string): Promise<Look> {
  const registered = await read(join(registration, 'gitdir'));
  if (registered === undefined) return { is: 'unregistered' };
  const directory = dirname(resolve(registration, registered));
  if (directory === (await real(partOf(worktree)))) return { is: 'unregistered' };
  if ((await real(directory)) !== (await real(worktree.path)))
    return { is: 'replaced', by: `a copy of the worktree ${directory}` };
  const mark = await read(join(registration, MARK));
  if (mark === markOf(worktree)) return { is: 'there', registration };
  if (mark !== undefined) return { is: 'replaced', by: `the worktree of another plan (${mark})` };
  const lock = await read(join(registration, 'locked'));
  if (lock === INITIALIZING) return { is: 'unfinished', registration };
  const head = await headOf(registration);
  if (head === worktree.branch) return { is: 'unmarked', registration };
  return {
    is: 'replaced',
    by: `a worktree that somebody made ${head === undefined ? 'of a commit' : `of branch ${head}`}`,
  };
}

/** What `git worktree add` locks its worktree with until it is filled. */
export const INITIALIZING = 'initializing';

export interface Registration {
  /** Its folder in the repository. */
  at: string;
  /** Of the worktree. */
  directory: string;
  /** The branch it is on. */
  head: string | undefined;
  /** Why it is locked, where it is. */
  locked: string | undefined;
}

/** All worktrees that a repository knows, without its main checkout. */
export async function registrations(common: string): Promise<Registration[]> {
  const names = (await readdir(join(common, 'worktrees')).catch(noneIf('ENOENT'))) ?? [];
  const all = names.map(async (name) => {
    const at = join(common, 'worktrees', name);
    const [registered, head, locked] = await Promise.all([
      read(join(at, 'gitdir')),
      headOf(at),
      read(join(at, 'locked')),
    ]);
    return registered === undefined ? [] : [{ at, directory: dirname(resolve(at, registered)), head, locked }];
  });
  return (await Promise.all(all)).flat();
}

/** The branch that a checkout is on; undefined when it is on a commit. */
export async function headOf(gitDirectory: string): Promise<string | undefined> {
  const head = await read(join(gitDirectory, 'HEAD'));
  return head?.match(/^ref: refs\/heads\/(.+)$/)?.[1];
}

function linked(text: string, path: string): string | undefined {
  const [, target] = text.match(/^gitdir: (.+?)\s*$/) ?? [];
  return target === undefined ? undefined : resolve(path, target);
}

const read = async (path: string): Promise<string | undefined> =>
  (await readFile(path, 'utf8').catch(noneIf('ENOENT', 'ENOTDIR')))?.trimEnd();

/** Without symbolic links, as far as there is something. */
export async function real(path: string): Promise<string> {
  const found = await realpath(path).catch(noneIf('ENOENT', 'ENOTDIR'));
  return found ?? (dirname(path) === path ? path : join(await real(dirname(path)), basename(path)));
}

const noneIf =
  (...codes: string[]) =>
  (error: NodeJS.ErrnoException): undefined => {
    if (!codes.includes(error.code ?? '')) throw error;
  };
