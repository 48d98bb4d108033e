import type { Readable } from 'node:stream';
import type { Client } from '@temporalio/client';
import { workflowId } from '../contract/names.ts';
import { unpack } from '../contract/packed.ts';
import { artifactEntries } from './bundle/artifact-entries.ts';
import { type Entry, jsonEntry, textEntry } from './bundle/entry.ts';
import { storyLines } from './bundle/story-lines.ts';
import { zipped } from './bundle/zipped.ts';
import type { Caller } from './caller.ts';
import { describePlan } from './described.ts';
import { openPart } from './logs.ts';
import { readPlan } from './read-plan.ts';
import { inputOf } from './run-input.ts';
import type { Stores } from './service.ts';

/** All that there is of a plan, as one zip. It is made while it is read, and never held whole. */
export interface Bundle {
  /** To save it by. */
  name: string;
  read(): Readable;
}

/**
 * The plan file and its definition, its inputs, where it stands, its story, its logs, declared files and large outputs, and at
 * last a manifest with the size and hash of each. What is gone or is not what it was is in the manifest with that problem.
 */
export async function planBundle(client: Client, stores: Stores, caller: Caller, planId: string): Promise<Bundle> {
  const view = await readPlan(client, caller, planId);
  const { plan_id, name, run, state } = view;
  const id = workflowId(caller.principal.org_id, plan_id);
  const { run_id } = await describePlan(client, id, plan_id);
  const input = await inputOf(client, id, run_id);
  const logs = await stores.logs.list(plan_id);
  const entries: Entry[] = [
    ...(input.source ? [textEntry('plan.yaml', unpack(input.source).text)] : []),
    jsonEntry('definition.json', unpack(input.definition)),
    jsonEntry('inputs.json', unpack(input.inputs)),
    jsonEntry('view.json', view),
    { path: 'timeline.jsonl', open: () => storyLines(client, { id, plan_id }) },
    ...logs.map(
      (log): Entry => ({
        path: `logs/run-${log.run}/${log.task}#${log.attempt}.${log.dispatch}${log.again ? `-${log.again}` : ''}.log`,
        open: async () => (await openPart(stores.logs, plan_id, log, {})).read(),
      }),
    ),
    ...(await artifactEntries(stores.artifacts, view)),
  ];
  return {
    name: `${name.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 60)}-${plan_id.slice(0, 8)}.zip`,
    read: () => zipped(entries, { schema_version: 1, plan_id, name, run, state, made_at: new Date().toISOString() }),
  };
}
