import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a home's folder, level by level. Node makes all levels at once by asking for the lowest again and again until it is there,
 * which on a file system that takes no folders, such as /proc, is for ever.
 */
export function makeHome(home: string): void {
  if (existsSync(home)) return;
  makeHome(dirname(home));
  try {
    mkdirSync(home, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
