import type { Packed } from '../contract/packed.ts';
import { unpack } from '../contract/packed.ts';
import type { ItemLeft } from '../plan/batch-left.ts';
import type { Outputs } from '../plan/definition.ts';
import { type Gone, type GoneInside, MOST_NAMED, type Span } from '../plan/gone.ts';
import type { Json } from '../plan/json.ts';
import type { Snapshot, TaskSnapshot } from '../plan/snapshot.ts';
import type { MapState } from '../plan/state.ts';
import type { ArtifactStore } from './artifact-store.ts';
import { type DeclaredFiles, filesStillThere } from './run/declared-files.ts';
import { loadShallow, loadStored } from './stored-values.ts';

export type FilesGone = Required<Pick<Gone, 'files' | 'inside'>>;

/** What is gone inside a task is told in so many bytes; where there would be more, the whole task runs again. */
const MOST_BYTES = 32 * 1_024;

/**
 * The declared files of finished tasks that are gone, or are not what they were, by task; and those of what ran inside a task.
 * Whoever made them has to run again.
 */
export async function filesGone({ tasks }: Snapshot, store: ArtifactStore): Promise<FilesGone> {
  const gone: FilesGone = { files: {}, inside: {} };
  for (const [id, task] of Object.entries(tasks)) {
    const wrong = await ownGone(task, store);
    if (wrong.length > 0) gone.files[id] = wrong.slice(0, MOST_NAMED);
    const inside = await goneInside(task, store);
    if (!inside) continue;
    if (JSON.stringify(inside).length > MOST_BYTES) gone.files[id] = inside.named;
    else gone.inside[id] = inside;
  }
  return gone;
}

async function ownGone({ files_in, outputs }: Pick<TaskSnapshot, 'files_in' | 'outputs'>, store: ArtifactStore) {
  if (files_in === undefined) return [];
  const files = await listOf(outputs, store).catch(() => undefined);
  if (!files) return ['their list is no longer in the artifact store'];
  return await filesStillThere(files_in, files as unknown as DeclaredFiles);
}

/** Their list alone: other outputs of the task may be large. */
async function listOf(outputs: Outputs | undefined, store: ArtifactStore): Promise<Json | undefined> {
  const { files } = (await loadShallow((outputs ?? {}) as Json, store)) as { files?: Json };
  return files && (await loadStored(files, store));
}

async function goneInside(task: TaskSnapshot, store: ArtifactStore): Promise<GoneInside | undefined> {
  const { left = task.made?.left, map = task.made?.map } = task;
  // What cannot be read any more is missed where stored outputs are looked for.
  if (left !== undefined) return await goneInPlan(left, store).catch(() => undefined);
  return map && (await goneInMap(map, store).catch(() => undefined));
}

async function goneInPlan(left: Json, store: ArtifactStore): Promise<GoneInside | undefined> {
  const snapshot = unpack((await loadShallow(left, store)) as unknown as Packed<Snapshot>);
  const plan = await filesGone(snapshot, store);
  const named = [
    ...Object.entries(plan.files).flatMap(([id, files]) => files.map((file) => `${id}: ${file}`)),
    ...Object.entries(plan.inside).flatMap(([id, inside]) => inside.named.map((name) => `${id}/${name}`)),
  ];
  return named.length > 0 ? { plan, named: named.slice(0, MOST_NAMED) } : undefined;
}

async function goneInMap({ pieces, batches }: MapState, store: ArtifactStore): Promise<GoneInside | undefined> {
  const spans: Span[] = [];
  const named: string[] = [];
  for (const [piece, batch] of batches.entries()) {
    if (!batch?.files) continue;
    const items = (await loadShallow(batch.items, store)) as unknown as ItemLeft[];
    for (const [k, item] of items.entries()) {
      const wrong = await goneOfItem(item, store);
      if (wrong.length === 0) continue;
      const n = pieces[piece]!.from + k;
      const last = spans.at(-1);
      if (last?.[1] === n) last[1] = n + 1;
      else spans.push([n, n + 1]);
      if (named.length < MOST_NAMED) named.push(`[${n}]: ${wrong[0]}`);
    }
  }
  return spans.length > 0 ? { items: spans, named } : undefined;
}

async function goneOfItem(item: ItemLeft, store: ArtifactStore): Promise<string[]> {
  const own = await ownGone({ files_in: item.files_in, outputs: item.outputs }, store);
  const { left = item.made?.left } = item;
  if (own.length > 0 || left === undefined) return own;
  return (await goneInPlan(left, store).catch(() => undefined))?.named ?? [];
}
