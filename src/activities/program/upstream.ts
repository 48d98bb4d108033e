import type { Json, JsonObject } from '../../plan/json.ts';
import type { ArtifactStore } from '../artifact-store.ts';
import { loadShallow } from '../stored-values.ts';
import type { Chunk, RowsResult } from './chunk.ts';

/** The outputs of a task whose rows are in chunks. The list of them may be long; what it refers to is followed. */
export async function outputsOf(
  { count, chunks, next }: RowsResult,
  inlineLimit: number,
  store: ArtifactStore,
): Promise<JsonObject> {
  const list = chunks as unknown as Json;
  const fits = JSON.stringify(list).length <= inlineLimit;
  return {
    count,
    chunks: fits ? list : await store.putJson(list, { refs: true }),
    ...(next && { next: next as unknown as Json }),
  };
}

/** What such a task left, from its outputs as the plan has them. */
export async function chunksOf(outputs: Json, store: ArtifactStore): Promise<Chunk[]> {
  const { chunks } = (await loadShallow(outputs, store)) as JsonObject;
  return (await loadShallow(chunks!, store)) as unknown as Chunk[];
}
