import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { TaskFailure } from '../kind.ts';
import { isLike, type Segment, segmentsOf } from './file-pattern.ts';

/**
 * The paths below a folder that match a pattern and are no folders, each once, written with `/`. Patterns do not follow
 * links to folders; a link that is named itself is followed, but not out of the root.
 */
export async function* findFiles(root: string, pattern: string, signal?: AbortSignal): AsyncIterable<string> {
  const segments = segmentsOf(pattern);
  const been = new Set<string>();
  yield* below('', 0);

  async function* below(folder: string, i: number): AsyncIterable<string> {
    signal?.throwIfAborted();
    // Two `**` meet the same folder many times.
    const here = `${i} ${folder}`;
    if (been.has(here)) return;
    been.add(here);
    const segment = segments[i]!;
    const isLast = i === segments.length - 1;
    if (segment === 'any depth') yield* below(folder, i + 1);
    for (const { name, kind } of await entriesOf(join(root, folder), segment)) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (segment === 'any depth') {
        if (kind === 'folder') yield* below(path, i);
      } else if (isLast) {
        if (kind !== 'folder') yield path;
      } else if (kind === 'folder' || ('name' in segment && (await leadsInside(root, path)))) yield* below(path, i + 1);
    }
  }
}

interface Entry {
  name: string;
  kind: 'folder' | 'other';
}

async function entriesOf(folder: string, segment: Segment): Promise<Entry[]> {
  const entry = (found: Pick<Dirent, 'isDirectory'>, name: string): Entry => ({
    name,
    kind: found.isDirectory() ? 'folder' : 'other',
  });
  if (typeof segment === 'object' && 'name' in segment) {
    const found = await lstat(join(folder, segment.name)).catch(notThere);
    return found ? [entry(found, segment.name)] : [];
  }
  const all = (await readdir(folder, { withFileTypes: true }).catch(notThere)) ?? [];
  return all
    .filter(({ name }) => (segment === 'any depth' ? !name.startsWith('.') : isLike(name, segment.like)))
    .map((found) => entry(found, found.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function notThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}

async function leadsInside(root: string, path: string): Promise<boolean> {
  return (await realPathInside(root, path)) !== undefined;
}

/** Where a path below a folder really is; undefined when there is nothing. Throws when that is outside of the folder. */
export async function realPathInside(root: string, path: string): Promise<string | undefined> {
  const [top, real] = await Promise.all([realpath(root), realpath(join(root, path)).catch(notThere)]);
  if (real !== undefined && !real.startsWith(top.endsWith(sep) ? top : `${top}${sep}`))
    throw new TaskFailure(`outputs: ${path} leads out of the working directory`, { final: 'invalid' });
  return real;
}
