import { closeSync, fsyncSync, mkdtempSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { checkTemporal } from './temporal-program.ts';

/**
 * Makes a program in a folder of its own and moves it to `cached` when it is known to run, so that whatever has that name is whole.
 * Call it under the lock of `cached`.
 */
export async function makeIntoCache(cached: string, make: (folder: string) => Promise<string>): Promise<string> {
  removeLeftovers(cached);
  const folder = mkdtempSync(`${cached}.part-`);
  try {
    const program = await make(folder);
    await checkTemporal(program);
    flush(program);
    renameSync(program, cached);
    return cached;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Under the lock nobody else makes anything, so each such folder is of a process that was killed. */
function removeLeftovers(cached: string): void {
  const folder = dirname(cached);
  for (const name of readdirSync(folder)) {
    if (name.startsWith(`${basename(cached)}.part-`)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** Else a power cut after the rename could leave a name with nothing behind it. */
function flush(file: string): void {
  const descriptor = openSync(file, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
