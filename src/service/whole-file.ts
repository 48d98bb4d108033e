import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LocalFile } from '../activities/artifact-store.ts';
import { hashOf } from '../activities/hash-of.ts';
import { Fault } from '../faults.ts';

/** What was found whole, by its hash: as which file. A download in parts is not to read it through for each. */
const seen = new Map<string, string>();
const MOST_SEEN = 10_000;

/** Throws OUTPUT_GONE when a stored file is no longer what it was. */
export async function mustBeWhole({ root, path }: LocalFile, sha256: string): Promise<void> {
  const file = join(root, path);
  const { ino, size, mtimeMs } = await stat(file);
  const mark = `${ino} ${size} ${mtimeMs}`;
  if (seen.get(sha256) === mark) return;
  if ((await hashOf(file)) !== sha256)
    throw new Fault('OUTPUT_GONE', `the artifact ${sha256.slice(0, 12)} was changed after it was stored`);
  if (seen.size >= MOST_SEEN) seen.clear();
  seen.set(sha256, mark);
}
