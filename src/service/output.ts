import type { Client } from '@temporalio/client';
import type { ArtifactStore, LocalFile } from '../activities/artifact-store.ts';
import { Fault } from '../faults.ts';
import type { Json } from '../plan/json.ts';
import { fileOf, outputsOf, ownArtifacts } from './artifacts.ts';
import type { Caller } from './caller.ts';
import { mustKnowTasks, readPlan } from './read-plan.ts';
import { unknownTask } from './task-names.ts';

/** The value itself; a text that is kept outside the plan is a file. References inside a value are left as they are. */
export type Output = { value: Json } | { file: LocalFile; sha256: string; dropped?: number; isText: boolean };

/** Throws TASK_NOT_FOUND, OUTPUT_NOT_FOUND, and OUTPUT_GONE when it is no longer kept. */
export async function readOutput(
  client: Client,
  store: ArtifactStore,
  caller: Caller,
  planId: string,
  taskId: string,
  name: string,
): Promise<Output> {
  const view = await readPlan(client, caller, planId);
  mustKnowTasks(view);
  const { tasks, plan_id } = view;
  const task = tasks.find(({ id }) => id === taskId);
  if (!task) throw unknownTask(tasks, taskId);
  const own = await ownArtifacts(store, plan_id);
  const outputs = await outputsOf(task, own);
  if (!Object.hasOwn(outputs, name)) {
    const there = Object.keys(outputs);
    const has = there.length > 0 ? `it has ${there.join(', ')}` : `it is ${task.status} and has none`;
    throw new Fault('OUTPUT_NOT_FOUND', `task ${taskId} has no output "${name.slice(0, 80)}"; ${has}`);
  }
  const value = outputs[name]!;
  if (!own.isReference(value)) return { value };
  const { sha256, json, head, dropped } = value.$stored;
  const file = await fileOf(store, sha256);
  if (json) return { value: (await own.load(value)) ?? null };
  return { file, sha256, isText: head !== '' || file.bytes === 0, ...(dropped && { dropped }) };
}
