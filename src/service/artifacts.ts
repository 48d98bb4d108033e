import type { Client } from '@temporalio/client';
import {
  ArtifactGone,
  type ArtifactStore,
  isStored,
  type KeptFile,
  type LocalFile,
} from '../activities/artifact-store.ts';
import { loadShallow } from '../activities/stored-values.ts';
import type { StoredValue } from '../contract/payloads.ts';
import { Fault } from '../faults.ts';
import type { Json, JsonObject } from '../plan/json.ts';
import type { TaskView } from '../plan/view.ts';
import type { Caller } from './caller.ts';
import { type ReadPlan, readPlan } from './read-plan.ts';
import { mustBeWhole } from './whole-file.ts';

export type { LocalFile };

/** Something of a plan's outputs that is kept outside it. */
export interface Artifact {
  sha256: string;
  bytes: number;
  task: string;
  /** Absent: all outputs of the task, and of others, are kept together. */
  output?: string;
  /** Of a declared file: where the task made it. */
  path?: string;
  form: 'file' | 'text' | 'json';
}
export interface ArtifactFile extends Artifact {
  file: LocalFile;
}

/** More are not looked for: a map may have a hundred thousand results. */
const MOST = 10_000;

/** What the plan's view refers to, and what that refers to. */
export async function listArtifacts(
  client: Client,
  store: ArtifactStore,
  caller: Caller,
  planId: string,
): Promise<Artifact[]> {
  return await artifactsIn(store, await readPlan(client, caller, planId));
}

export async function artifactsIn(store: ArtifactStore, { tasks, plan_id }: ReadPlan): Promise<Artifact[]> {
  const own = await ownArtifacts(store, plan_id);
  const found: Artifact[] = [];
  for (const task of tasks) {
    for await (const artifact of artifactsOf(task, own)) found.push(artifact);
    if (found.length > MOST) break;
  }
  return found.slice(0, MOST);
}

/** Throws OUTPUT_NOT_FOUND unless this very plan refers to it: knowing a hash opens nothing. */
export async function findArtifact(
  client: Client,
  store: ArtifactStore,
  caller: Caller,
  planId: string,
  sha256: string,
): Promise<ArtifactFile> {
  const artifacts = await listArtifacts(client, store, caller, planId);
  const found = artifacts.find((artifact) => artifact.sha256 === sha256);
  if (!found) throw new Fault('OUTPUT_NOT_FOUND', `this plan has no artifact "${sha256.slice(0, 80)}"`);
  return { ...found, file: await fileOf(store, sha256) };
}

export async function fileOf(store: ArtifactStore, sha256: string): Promise<LocalFile> {
  const file = await store.file(sha256);
  if (!file) throw new Fault('OUTPUT_GONE', `the artifact ${sha256.slice(0, 12)} is gone from the artifact store`);
  await mustBeWhole(file, sha256);
  return file;
}

/** What of the store a plan may be read by: a reference that it wrote itself, without having stored anything, is none. */
export interface OwnArtifacts {
  isReference(value: unknown): value is StoredValue;
  /** Of a declared file. */
  isFile(value: unknown): value is KeptFile;
  /** What a reference stands for; what is gone refers to nothing any more. */
  load(value: StoredValue): Promise<Json | undefined>;
}

export async function ownArtifacts(store: ArtifactStore, planId: string): Promise<OwnArtifacts> {
  const names = await store.storedBy(planId);
  return {
    isReference: (value): value is StoredValue => isStored(value) && names.has(value.$stored.sha256),
    isFile(value): value is KeptFile {
      if (typeof value !== 'object' || value === null || !('sha256' in value && 'bytes' in value)) return false;
      const { sha256, bytes } = value;
      return typeof sha256 === 'string' && typeof bytes === 'number' && names.has(sha256);
    },
    load: (value) =>
      loadShallow(value as unknown as Json, store).catch((error: unknown) => {
        if (error instanceof ArtifactGone) return undefined;
        throw error;
      }),
  };
}

/** The outputs of a task, themselves or as references. */
export async function outputsOf({ outputs = {} }: TaskView, own: OwnArtifacts): Promise<JsonObject> {
  return (own.isReference(outputs) ? ((await own.load(outputs)) ?? {}) : outputs) as JsonObject;
}

async function* artifactsOf(task: TaskView, own: OwnArtifacts): AsyncGenerator<Artifact> {
  if (own.isReference(task.outputs)) yield artifactAt(task.outputs, { task: task.id });
  for (const [output, value] of Object.entries(await outputsOf(task, own))) {
    yield* referencesIn(value, { task: task.id, output }, own);
    // A long list of files is kept outside the plan itself.
    if (output === 'files' && own.isReference(value))
      yield* referencesIn((await own.load(value)) ?? null, { task: task.id, output }, own);
  }
}

type Place = Pick<Artifact, 'task' | 'output'>;

async function* referencesIn(value: Json, place: Place, own: OwnArtifacts): AsyncGenerator<Artifact> {
  if (own.isReference(value)) {
    yield artifactAt(value, place);
    // What somebody else wrote holds no references, whatever it looks like.
    if (value.$stored.refs) yield* referencesIn((await own.load(value)) ?? null, place, own);
  } else if (typeof value === 'object' && value !== null)
    for (const [path, item] of Object.entries(value))
      if (own.isFile(item)) yield { sha256: item.sha256, bytes: item.bytes, ...place, path, form: 'file' };
      else yield* referencesIn(item, place, own);
}

const artifactAt = ({ $stored: { sha256, bytes, json, head } }: StoredValue, place: Place): Artifact => ({
  sha256,
  bytes,
  ...place,
  // What is no text has no characters to show.
  form: json ? 'json' : head === '' && bytes > 0 ? 'file' : 'text',
});
