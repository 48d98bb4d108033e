import type { StoredValue } from '../contract/payloads.ts';
import type { Scope } from '../plan/expression.ts';
import type { Json, JsonObject } from '../plan/json.ts';
import { holdsStored } from '../plan/scope.ts';
import { type ArtifactStore, isStored } from './artifact-store.ts';
import { cutValue } from './cut-values.ts';

/** The same value with every reference replaced by what it stands for; where that was cut, by what says so. */
export async function loadStored(value: unknown, store: ArtifactStore): Promise<Json> {
  if (isStored(value)) return await loadOne(value, store);
  if (Array.isArray(value)) return await Promise.all(value.map((item) => loadStored(item, store)));
  if (value === null || typeof value !== 'object') return value as Json;
  const entries = Object.entries(value).map(async ([key, item]) => [key, await loadStored(item, store)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** What a reference stands for, with the references that may be in it left as they are. */
export async function loadShallow(value: Json, store: ArtifactStore): Promise<Json> {
  return isStored(value) ? await textOrData(value, store) : value;
}

async function loadOne(value: StoredValue, store: ArtifactStore): Promise<Json> {
  if (value.$stored.dropped) return cutValue(value.$stored.dropped);
  const data = await textOrData(value, store);
  // Only what we put together ourselves may hold references: what somebody else wrote cannot pass for one.
  return value.$stored.refs ? await loadStored(data, store) : data;
}

async function textOrData(value: StoredValue, store: ArtifactStore): Promise<Json> {
  const text = await store.text(value);
  if (!value.$stored.json) return text;
  const all = JSON.parse(text.replace(/^\uFEFF/, '')) as Json;
  return value.$stored.at === undefined ? all : (all as JsonObject)[value.$stored.at]!;
}

/** What a task's expressions read, whole. */
export const loadScope = async (scope: Scope, store: ArtifactStore): Promise<Scope> =>
  (await loadStored(scope, store)) as unknown as Scope;

/** The value itself, or its reference when its JSON is longer than so many bytes, or when it could pass for a reference. */
export async function storeLarge(value: Json, limit: number, store: ArtifactStore): Promise<Json> {
  if (JSON.stringify(value).length <= limit && !holdsStored(value)) return value;
  return (typeof value === 'string' ? await store.putText(value) : await store.putJson(value)) as unknown as Json;
}
