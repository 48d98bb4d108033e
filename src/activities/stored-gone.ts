import { join } from 'node:path';
import type { Json } from '../plan/json.ts';
import type { Snapshot, TaskSnapshot } from '../plan/snapshot.ts';
import { type ArtifactStore, isStored } from './artifact-store.ts';
import { hashOf } from './hash-of.ts';
import { loadShallow } from './stored-values.ts';

/** By task: what of its outputs, or of what it had done so far, is gone from the artifact store, or is not what it was. */
export async function storedGone({ tasks }: Snapshot, store: ArtifactStore): Promise<Record<string, string[]>> {
  const seen = new Map<string, boolean>();
  const gone: Record<string, string[]> = {};
  for (const [id, task] of Object.entries(tasks)) {
    const wrong: string[] = [];
    for (const [name, value] of Object.entries(partsOf(task)))
      if (!(await isThere(value, store, seen))) wrong.push(name);
    if (wrong.length > 0) gone[id] = wrong;
  }
  return gone;
}

/** What its next run would read, by name; outputs that are kept together have none of their own. */
function partsOf({ outputs, left, map, made }: TaskSnapshot): Record<string, Json> {
  if (left !== undefined) return { 'what it had done': left };
  if (map) return { 'its items': [map.pieces, map.batches] as unknown as Json };
  // Without what it goes on from when files are gone inside of it, it begins anew.
  const inside = made && {
    'what it had done': [made.left ?? null, made.map?.pieces ?? [], made.map?.batches ?? []] as unknown as Json,
  };
  return { ...(isStored(outputs) ? { outputs: outputs as unknown as Json } : outputs), ...inside };
}

async function isThere(value: Json | undefined, store: ArtifactStore, seen: Map<string, boolean>): Promise<boolean> {
  if (value === null || typeof value !== 'object') return true;
  if (!isStored(value)) {
    for (const part of Object.values(value)) if (!(await isThere(part, store, seen))) return false;
    return true;
  }
  const { sha256, refs } = value.$stored;
  const known = seen.get(sha256);
  if (known !== undefined) return known;
  const whole = await isWhole(sha256, store);
  seen.set(sha256, whole);
  if (!whole || !refs) return whole;
  const { at: _, ...all } = value.$stored;
  const within = await isThere(await loadShallow({ $stored: all } as unknown as Json, store), store, seen);
  seen.set(sha256, within);
  return within;
}

/** Whether the store has it, as it was. */
export async function isWhole(sha256: string, store: ArtifactStore): Promise<boolean> {
  const file = await store.file(sha256);
  return file !== undefined && (await hashOf(join(file.root, file.path)).catch(() => '')) === sha256;
}
