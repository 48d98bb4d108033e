import type { StoredValue } from '../contract/payloads.ts';
import type { Json } from '../plan/json.ts';
import { type ArtifactStore, isStored } from './artifact-store.ts';

/** The same value with every reference replaced by what it stands for, but for those whose value was cut. */
export async function loadStored(value: unknown, store: ArtifactStore): Promise<Json> {
  if (isStored(value)) return await loadOne(value, store);
  if (Array.isArray(value)) return await Promise.all(value.map((item) => loadStored(item, store)));
  if (value === null || typeof value !== 'object') return value as Json;
  const entries = Object.entries(value).map(async ([key, item]) => [key, await loadStored(item, store)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function loadOne(value: StoredValue, store: ArtifactStore): Promise<Json> {
  if (value.$stored.dropped) return { $stored: { ...value.$stored } };
  const text = await store.text(value);
  return value.$stored.json ? (JSON.parse(text) as Json) : text;
}
