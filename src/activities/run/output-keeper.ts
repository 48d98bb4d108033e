import { INLINE_BUDGET } from '../../contract/payloads.ts';
import type { Json } from '../../plan/json.ts';
import type { ArtifactStore } from '../artifact-store.ts';

/** Decides for each output of one attempt whether it travels itself or by reference. */
export interface OutputKeeper {
  store: ArtifactStore;
  /** Whether an output of so many bytes may travel itself; what may is counted. */
  takes(bytes: number): boolean;
  /** The value, or the reference that stands for it. */
  keep(value: Json): Promise<Json>;
}

export function outputKeeper(store: ArtifactStore, inlineLimit: number): OutputKeeper {
  let room = INLINE_BUDGET;
  const takes = (bytes: number) => {
    if (bytes > inlineLimit || bytes > room) return false;
    room -= bytes;
    return true;
  };
  return {
    store,
    takes,
    async keep(value) {
      const json = JSON.stringify(value);
      // What could pass for a reference is stored, so that it is read as what it is.
      if (!json.includes('"$stored"') && takes(Buffer.byteLength(json))) return value;
      if (typeof value !== 'string') return await store.putJson(value);
      // Readers of a stored text leave its last line break out; one that belongs to the value is guarded by another.
      return { ...(await store.putText(value.endsWith('\n') ? `${value}\n` : value)) };
    },
  };
}
