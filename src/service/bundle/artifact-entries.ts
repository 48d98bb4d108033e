import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { ArtifactStore } from '../../activities/artifact-store.ts';
import { type Artifact, artifactsIn } from '../artifacts.ts';
import type { ReadPlan } from '../read-plan.ts';
import type { Entry } from './entry.ts';

/** From this size on, packing would take longer than sending. */
const LARGE_BYTES = 32 * 1_024 * 1_024;
const ENDINGS = { file: '', text: '.txt', json: '.json' };

/** Declared files as they are called where they were made, and large outputs, by task. */
export async function artifactEntries(artifacts: ArtifactStore, view: ReadPlan): Promise<Entry[]> {
  const store = artifacts.ofPlan(view.plan_id);
  const taken = new Set<string>();
  const entries: Entry[] = [];
  for (const artifact of await artifactsIn(artifacts, view)) {
    const path = free(pathOf(artifact), artifact, taken);
    const { sha256, bytes, task, output } = artifact;
    const file = await store.file(sha256);
    entries.push({
      path,
      sha256,
      about: { task, ...(output !== undefined && { output }) },
      ...(bytes >= LARGE_BYTES && { asIs: true as const }),
      ...(file && { open: () => createReadStream(join(file.root, file.path)) as AsyncIterable<Buffer> }),
    });
  }
  return entries;
}

/** Without what a zip may not name. */
const pathOf = ({ task, output, path, form }: Artifact): string =>
  path === undefined
    ? `outputs/${task}/${output ?? 'outputs'}${ENDINGS[form]}`
    : `files/${task}/${path.replace(/[\\\p{Cc}]/gu, '_').replace(/(^|\/)\.\.(?=\/|$)/g, '$1__')}`;

/** Within one list of results the same name comes again and again. */
function free(path: string, { sha256 }: Artifact, taken: Set<string>): string {
  const found = taken.has(path) ? `${path}.${sha256.slice(0, 12)}` : path;
  taken.add(found);
  return found;
}
