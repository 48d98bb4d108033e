import type { Outputs } from '../plan/definition.ts';
import type { Json } from '../plan/json.ts';
import type { Snapshot } from '../plan/snapshot.ts';
import type { ArtifactStore } from './artifact-store.ts';
import { type DeclaredFiles, filesStillThere } from './run/declared-files.ts';
import { loadShallow, loadStored } from './stored-values.ts';

/** By task: the declared files of finished tasks that are gone, or are not what they were. Such a task has to run again. */
export async function filesGone({ tasks }: Snapshot, store: ArtifactStore): Promise<Record<string, string[]>> {
  const gone: Record<string, string[]> = {};
  for (const [id, { files_in, outputs }] of Object.entries(tasks)) {
    if (files_in === undefined) continue;
    const files = await listOf(outputs, store).catch(() => undefined);
    const wrong = files
      ? await filesStillThere(files_in, files as unknown as DeclaredFiles)
      : ['their list is no longer in the artifact store'];
    if (wrong.length > 0) gone[id] = wrong;
  }
  return gone;
}

/** Their list alone: other outputs of the task may be large. */
async function listOf(outputs: Outputs | undefined, store: ArtifactStore): Promise<Json | undefined> {
  const { files } = (await loadShallow((outputs ?? {}) as Json, store)) as { files?: Json };
  return files && (await loadStored(files, store));
}
