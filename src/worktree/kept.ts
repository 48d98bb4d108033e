import { mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Worktree } from '../contract/payloads.ts';
import { readRecord, removeRecord, withHomeLock, writeRecord } from '../home/home-lock.ts';
import { identify, isAlive, ProcessIdentity } from '../home/process-identity.ts';

/** What is kept of a worktree beside it. Without it, its branch was never made. */
const Kept = z.object({
  branch: z.string(),
  base: z.string(),
  /** Where the branch was when it was removed with its worktree, all of it being on another branch. */
  tip: z.string().optional(),
});
export type Kept = z.infer<typeof Kept>;

const beside = ({ path }: Worktree, ending: string) => join(dirname(path), `.${basename(path)}.${ending}`);

export function keptOf(worktree: Worktree): Kept | undefined {
  const kept = readRecord(beside(worktree, 'json'), Kept);
  return kept?.branch === worktree.branch && kept.base === worktree.base ? kept : undefined;
}
export function keep(worktree: Worktree, tip?: string): void {
  const { branch, base } = worktree;
  writeRecord(beside(worktree, 'json'), { branch, base, ...(tip !== undefined && { tip }) });
}
export const forgetKept = (worktree: Worktree): void => removeRecord(beside(worktree, 'json'));

/** A checkout of a large repository takes minutes. */
const LONGEST_BUILD_MS = 20 * 60_000;

/** Worktrees of one repository are made and removed one after another, by whichever processes. */
export async function alone<T>(worktree: Worktree, work: () => Promise<T>): Promise<T> {
  return await withHomeLock(
    dirname(worktree.path),
    async () => {
      mkdirSync(dirname(worktree.path), { recursive: true, mode: 0o700 });
      await noBuilder(worktree);
      return await work();
    },
    { waitMs: LONGEST_BUILD_MS },
  );
}

/** A process that was killed leaves its Git running: it is not to be met half-way. */
async function noBuilder(worktree: Worktree): Promise<void> {
  const path = beside(worktree, 'git');
  const mayLast = Date.now() + LONGEST_BUILD_MS;
  for (;;) {
    const builder = readRecord(path, ProcessIdentity);
    if (!builder || !isAlive(builder) || Date.now() > mayLast) break;
    await delay(100);
  }
  removeRecord(path);
}

/** For `onStart` of the Git that fills a worktree. */
export const recordBuilder = (worktree: Worktree) => (pid: number) => {
  const identity = identify(pid);
  if (identity) writeRecord(beside(worktree, 'git'), identity);
};
