import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { real } from './look.ts';

/** A Git that is just beginning may not be where it works yet. */
const SURELY_WRITTEN_MS = 2_000;

/** The locks by which a Git that was killed keeps every other one out of a worktree. */
const locksOf = (registration: string, common: string, branch: string): string[] => [
  join(registration, 'index.lock'),
  join(registration, 'HEAD.lock'),
  join(common, 'refs', 'heads', `${branch}.lock`),
];

interface Locked {
  path: string;
  registration: string;
  common: string;
  branch: string;
}

export async function isLocked({ registration, common, branch }: Locked): Promise<boolean> {
  const ages = await Promise.all(locksOf(registration, common, branch).map(ageOf));
  return ages.some((age) => age !== undefined);
}

/** Removes what a dead Git left. A lock stays while some Git works in the worktree, such as a commit of a parallel task. */
export async function removeStaleLocks(locked: Locked): Promise<void> {
  for (const lock of locksOf(locked.registration, locked.common, locked.branch)) {
    const before = await idOf(lock);
    if (before === undefined) continue;
    const age = (await ageOf(lock)) ?? 0;
    if (age < SURELY_WRITTEN_MS) await delay(SURELY_WRITTEN_MS - Math.max(0, age));
    if (await isGitAtWork(locked.path)) return;
    if ((await idOf(lock)) === before) await rm(lock, { force: true });
  }
}

/** What a Git that was killed had begun, such as a checkout, goes on without it. */
const LONGEST_REST_MS = 60_000;
const LOOK_MS = 100;

/** Waits until no Git works in a worktree any more, as far as that can be seen. */
export async function noGitAtWork(path: string): Promise<void> {
  for (const end = Date.now() + LONGEST_REST_MS; Date.now() < end && (await isGitAtWork(path)); ) await delay(LOOK_MS);
}

const ageOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => undefined,
  );

/** Of another Git's lock of the same name it differs. */
const idOf = (path: string): Promise<string | undefined> =>
  stat(path).then(
    ({ ino, ctimeMs }) => `${ino}@${ctimeMs}`,
    () => undefined,
  );

/** Git goes to the top of the worktree that it works in. Where that cannot be seen, any Git counts. */
async function isGitAtWork(path: string): Promise<boolean> {
  if (process.platform !== 'linux') {
    const { stdout } = await promisify(execFile)('ps', ['-axo', 'comm=']);
    return stdout.split('\n').some((line) => /(^|\/)git$/.test(line.trim()));
  }
  const top = await real(path);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
      if (cwd !== top && !cwd.startsWith(`${top}/`)) return false;
      return /^git\b/.test(await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => ''));
    }),
  );
  return found.includes(true);
}
