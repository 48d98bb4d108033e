import { stat } from 'node:fs/promises';
import type { Gone } from '../plan/gone.ts';
import type { Snapshot } from '../plan/snapshot.ts';
import type { ArtifactStore } from './artifact-store.ts';
import { filesGone } from './files-gone.ts';
import { storedGone } from './stored-gone.ts';

/** What a plan's tasks had made and is no longer there, or is not what it was; and what people should know of it. */
export interface WhatIsGone extends Required<Gone> {
  note?: string;
}

export async function whatIsGone(snapshot: Snapshot, store: ArtifactStore, planFolder: string): Promise<WhatIsGone> {
  const gone = { ...(await filesGone(snapshot, store)), stored: await storedGone(snapshot, store) };
  const own = Object.values(snapshot.tasks).flatMap(({ files_in }) =>
    files_in?.startsWith(planFolder) ? files_in : [],
  );
  for (const folder of new Set(own))
    if (!(await isDirectory(folder)))
      return { ...gone, note: 'the directory of the plan was gone; it goes on in a fresh one' };
  return gone;
}

export const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
