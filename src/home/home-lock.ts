import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import lockfile from 'proper-lockfile';
import type { z } from 'zod';
import { Fault } from '../faults.ts';

export interface LockOptions {
  /** How long to wait for another process, in ms. Default: 60 s. */
  waitMs?: number;
  /** Called about twice a second while another process has the lock. */
  onWaiting?: (waitedMs: number) => void;
}

/** A lock not renewed for this long was left by a process that was killed or froze. Its owner renews it every second. */
const STALE_MS = 5000;
const RENEW_MS = 1000;
const LOST = 'This process stood still for so long that another one took over its lock; try again';

/**
 * Runs `fn` while no other process of this machine runs one for the same path (the file need not exist).
 * `lost` is aborted when this process froze so long that another one took the lock over.
 */
export async function withHomeLock<T>(
  path: string,
  fn: (lost: AbortSignal) => Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const lost = new AbortController();
  const release = await acquire(path, lost, options);
  try {
    return await fn(lost.signal);
  } finally {
    await release().catch(() => undefined);
  }
}

/** The record at `path`; undefined when there is none, or one that is half-written, corrupt or of another shape. */
export function readRecord<T>(path: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** Replaces the record as a whole: a reader sees the old one or the new one. Call it under the lock of `path`. */
export function writeRecord(path: string, record: object): void {
  const part = `${path}.${process.pid}.part`;
  writeFileSync(part, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  renameSync(part, path);
}

export function removeRecord(path: string): void {
  rmSync(path, { force: true });
}

type Release = () => Promise<void>;

async function acquire(path: string, lost: AbortController, options: LockOptions): Promise<Release> {
  const { waitMs = 60_000, onWaiting } = options;
  const began = performance.now();
  let nextNotice = 500;
  for (;;) {
    const release = (await tryLock(path, Number.POSITIVE_INFINITY, lost)) ?? (await takeOverStale(path, lost));
    if (release) return release;
    const waited = performance.now() - began;
    if (waited > waitMs)
      throw new Fault(
        'ENGINE_UNAVAILABLE',
        `Another Holdpoint process has held ${path}.lock for ${Math.round(waited / 1000)} s; see what it does, or end it`,
      );
    if (waited > nextNotice) {
      onWaiting?.(waited);
      nextNotice += 500;
    }
    await sleep(40 + Math.random() * 20);
  }
}

/**
 * The library removes a stale lock and makes its own in two steps, so of two waiters the second could remove
 * the lock the first has just made. Hence only the holder of a second lock may remove a stale one.
 */
async function takeOverStale(path: string, lost: AbortController): Promise<Release | undefined> {
  const isStale = !(await lockfile.check(path, { realpath: false, stale: STALE_MS }));
  const door = isStale ? await tryLock(`${path}.takeover`, STALE_MS, new AbortController()) : undefined;
  if (!door) return undefined;
  try {
    return await tryLock(path, STALE_MS, lost);
  } finally {
    await door().catch(() => undefined);
  }
}

async function tryLock(path: string, stale: number, lost: AbortController): Promise<Release | undefined> {
  try {
    return await lockfile.lock(path, {
      realpath: false,
      stale,
      update: RENEW_MS,
      // The library's default throws where nobody can catch it, and so ends the process.
      onCompromised: (error) => lost.abort(new Fault('ENGINE_UNAVAILABLE', LOST, { cause: error })),
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ELOCKED') return undefined;
    throw error;
  }
}
