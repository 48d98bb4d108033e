import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { History } from '@temporalio/worker';
import { anonymous } from '../support/anonymous.ts';

const FOLDER = join(import.meta.dirname, 'histories');
const pathOf = (name: string) => join(FOLDER, `${name}.json`);

/** A history as other Temporal tools write and read it, with the Workflow Id it needs for its children's. */
export interface RecordedHistory {
  workflow_id: string;
  events: object[];
}

export const recorded = (): string[] =>
  existsSync(FOLDER)
    ? readdirSync(FOLDER)
        .filter((file) => file.endsWith('.json'))
        .map((file) => file.replace(/\.json$/, ''))
        .sort()
    : [];

export const load = (name: string): RecordedHistory => JSON.parse(readFileSync(pathOf(name), 'utf8'));

/** Of one scenario's histories: `NAME`, or `NAME.1`, `NAME.2` … where there are several. */
export const namesFor = (name: string, count: number): string[] =>
  count === 1 ? [name] : Array.from({ length: count }, (_, i) => `${name}.${i + 1}`);

/** A recorded history is evidence: it is never written over. */
export function mustBeNew(name: string): void {
  const there = recorded().filter((file) => file === name || file.startsWith(`${name}.`));
  if (there.length > 0)
    throw new Error(`${there.join(', ')} is recorded already, and a recorded history is never recorded again`);
}

export function portable(workflowId: string, history: History): RecordedHistory {
  const { events } = anonymous(JSON.parse(historyToJSON(history))) as { events: object[] };
  return { workflow_id: workflowId, events };
}

export function save(name: string, history: RecordedHistory): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(pathOf(name), `${JSON.stringify(history)}\n`, { flag: 'wx' });
}
