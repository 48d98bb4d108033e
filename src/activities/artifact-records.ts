import { lstat, mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { StoredValue } from '../contract/payloads.ts';
import type { Json } from '../plan/json.ts';
import { ArtifactGone, type ArtifactStore } from './artifact-store.ts';

/** Beside what is stored: by plan, an empty file for each name. */
const RECORDS = 'plans';
/** What was put away, until it is collected. */
const CLEARED = 'cleared';

export const recordFolder = (root: string, planId: string): string => join(root, RECORDS, planId);
export const clearedFolder = (root: string, mark: string): string => join(root, CLEARED, mark);

/** In one step, which cannot be done twice: a worker that comes to it late must not put away what was stored since. */
export async function putAway(folder: string, away: string): Promise<void> {
  await Promise.all([mkdir(folder, { recursive: true }), mkdir(dirname(away), { recursive: true })]);
  await writeFile(join(folder, '.cleared'), '');
  await rename(folder, away).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
}

/** A store that notes what it stores in a folder, and gives only what is noted there. */
export function onRecord(store: ArtifactStore, folder: string): ArtifactStore {
  const note = async (sha256: string) => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, sha256), '', { flag: 'a', mode: 0o600 });
  };
  const isNoted = async (sha256: string) => isName(sha256) && (await lstat(join(folder, sha256)).catch(() => false));
  const noted = async <T extends StoredValue>(stored: T) => {
    await note(stored.$stored.sha256);
    return stored;
  };
  return {
    ...store,
    putFile: async (file) => noted(await store.putFile(file)),
    putText: async (text) => noted(await store.putText(text)),
    putJson: async (value, options) =>
      (await noted((await store.putJson(value, options)) as unknown as StoredValue)) as unknown as Json,
    async copyFile(from, signal) {
      const kept = await store.copyFile(from, signal);
      await note(kept.sha256);
      return kept;
    },
    async text(stored) {
      if (await isNoted(stored.$stored.sha256)) return await store.text(stored);
      const name = String(stored.$stored.sha256).slice(0, 12);
      throw new ArtifactGone(
        `the stored output ${name} is gone from the artifact store, or this plan did not store it`,
      );
    },
    file: async (sha256) => ((await isNoted(sha256)) ? await store.file(sha256) : undefined),
  };
}

export const isName = (sha256: string): boolean => /^[0-9a-f]{64}$/.test(sha256);
