import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArtifactStore, KeptFile } from '../artifact-store.ts';
import { hashOf } from '../hash-of.ts';
import { TaskFailure } from '../kind.ts';
import { findFiles, realPathInside } from './find-files.ts';

/** The output `files`: what each declared file was when its task succeeded. */
export type DeclaredFiles = Record<string, KeptFile>;

const MOST_FILES = 10_000;

/** Removes what matches, so that what a killed attempt left behind never counts as this one's. */
export async function clearDeclaredFiles(directory: string, patterns: string[], signal: AbortSignal): Promise<void> {
  for (const pattern of patterns)
    for await (const path of findFiles(directory, pattern, signal)) await rm(join(directory, path), { force: true });
}

/** Keeps a copy of every file that matches; fails, naming it, when nothing matches one of the patterns. */
export async function keepDeclaredFiles(
  directory: string,
  patterns: string[],
  store: ArtifactStore,
  signal: AbortSignal,
): Promise<DeclaredFiles> {
  const files = new Map<string, KeptFile>();
  for (const pattern of patterns) {
    let found = false;
    for await (const path of findFiles(directory, pattern, signal)) {
      found = true;
      if (files.has(path)) continue;
      if (files.size === MOST_FILES) throw new TaskFailure(`outputs: there are more than ${MOST_FILES} files`);
      files.set(path, await store.copyFile(await fileInside(directory, path), signal));
    }
    if (!found) throw new TaskFailure(`outputs: ${await missing(directory, pattern)}`);
  }
  return Object.fromEntries(files);
}

async function missing(directory: string, pattern: string): Promise<string> {
  const isFolder = await stat(join(directory, pattern)).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isFolder ? `${pattern} is a folder; write ${pattern}/** for what is in it` : `no file ${pattern} was made`;
}

async function fileInside(directory: string, path: string): Promise<string> {
  const real = await realPathInside(directory, path);
  if (real === undefined) throw new TaskFailure(`outputs: ${path} is a link to nothing`);
  // Reading anything else may wait for ever.
  if (!(await stat(real)).isFile()) throw new TaskFailure(`outputs: ${path} is not a file`);
  return real;
}

/** The paths of declared files that are gone from the directory, or are not what they were. */
export async function filesStillThere(directory: string, files: DeclaredFiles): Promise<string[]> {
  const wrong: string[] = [];
  for (const [path, { sha256, bytes }] of Object.entries(files)) {
    const real = await fileInside(directory, path).catch(() => undefined);
    const same = real !== undefined && (await stat(real)).size === bytes && (await hashOf(real)) === sha256;
    if (!same) wrong.push(path);
  }
  return wrong;
}
