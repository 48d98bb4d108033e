import type { Json } from '../plan/json.ts';
import type { Snapshot } from '../plan/snapshot.ts';
import type { ArtifactStore } from './artifact-store.ts';
import { type DeclaredFiles, filesStillThere } from './run/declared-files.ts';
import { loadStored } from './stored-values.ts';

/** By task: the declared files of finished tasks that are gone, or are not what they were. Such a task has to run again. */
export async function filesGone({ tasks }: Snapshot, store: ArtifactStore): Promise<Record<string, string[]>> {
  const gone: Record<string, string[]> = {};
  for (const [id, { files_in, outputs }] of Object.entries(tasks)) {
    if (files_in === undefined) continue;
    const left = (await loadStored(outputs ?? {}, store).catch(() => ({}))) as { files?: Json };
    const wrong = left.files
      ? await filesStillThere(files_in, left.files as unknown as DeclaredFiles)
      : ['their list is no longer in the artifact store'];
    if (wrong.length > 0) gone[id] = wrong;
  }
  return gone;
}
