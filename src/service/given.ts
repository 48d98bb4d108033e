import { setImmediate } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { stringify } from 'yaml';
import { unpack } from '../contract/packed.ts';
import type { PlanDefinition } from '../plan/definition.ts';
import type { JsonObject } from '../plan/json.ts';
import type { Caller } from './caller.ts';
import { latestInput } from './latest-input.ts';

/** What a plan's latest run was made from. */
export interface GivenFile {
  text: string;
  /** `rewritten`: the text was too long to be kept. This is what it was read as, and no plan file. */
  form: 'as-given' | 'rewritten';
}
export interface GivenInputs {
  /** Their values, with the defaults of the file. */
  inputs: JsonObject;
  /** Names of those that somebody gave. */
  given: string[];
}

export async function readGivenFile(client: Client, caller: Caller, planId: string): Promise<GivenFile> {
  const { source, definition } = await latestInput(client, caller, planId);
  if (source) return { text: unpack(source).text, form: 'as-given' };
  return { text: await definitionText(unpack(definition)), form: 'rewritten' };
}

export async function readGivenInputs(client: Client, caller: Caller, planId: string): Promise<GivenInputs> {
  const input = await latestInput(client, caller, planId);
  const inputs = unpack(input.inputs);
  // Older plans do not tell: a next run keeps all of them then, as if they had been given.
  return { inputs, given: input.inputs_given ?? Object.keys(inputs) };
}

/** Written at once; thousands of tasks take a second, in which nothing else would be answered. */
const TASKS_AT_ONCE = 200;
const FORM = { lineWidth: 0 };

async function definitionText({ tasks, ...head }: PlanDefinition): Promise<string> {
  const parts = [stringify(head, FORM), 'tasks:\n'];
  for (let from = 0; from < tasks.length; from += TASKS_AT_ONCE) {
    const some = stringify({ tasks: tasks.slice(from, from + TASKS_AT_ONCE) }, FORM);
    parts.push(some.slice('tasks:\n'.length));
    await setImmediate();
  }
  return parts.join('');
}
