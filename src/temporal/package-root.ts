import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Holdpoint's own folder: the nearest one upwards with a package.json, both for `src/` and for the compiled `dist/`. */
export function packageRoot(from = import.meta.dirname): string {
  if (existsSync(join(from, 'package.json'))) return from;
  const parent = dirname(from);
  if (parent === from) throw new Error(`no package.json above ${import.meta.dirname}`);
  return packageRoot(parent);
}
