import { patternFault } from '../../activities/run/file-pattern.ts';
import type { Json, JsonObject } from '../../plan/json.ts';
import { describe } from '../plan-file/describe.ts';
import type { Values } from '../plan-file/inputs.ts';
import type { Report } from '../plan-file/problems.ts';
import type { Inputs } from './iterate.ts';

const NAMES = ['args', 'map'] as const;
const MOST = 10_000;

/** What a caller gives a workflow file: `args`, values, and `map`, patterns of files; each a text or a list of texts. */
export function readGiven({ given, kept }: Values, report: Report): Inputs {
  const inputs: Inputs = {};
  for (const name of NAMES) {
    const value = given[name] ?? kept[name];
    if (value === undefined) continue;
    const list = textsOf(value);
    if (!list) report.given(name, `is ${describe(value)}; it has to be text, or a list of texts`);
    else if (list.length > MOST) report.given(name, `has more than ${MOST} entries`);
    else if (list.length > 0) inputs[name] = list;
  }
  for (const pattern of inputs.map ?? []) {
    const fault = patternFault(pattern);
    if (fault !== undefined) report.given('map', `${JSON.stringify(pattern)} ${fault}`);
  }
  for (const name of Object.keys(given))
    if (!(NAMES as readonly string[]).includes(name))
      report.given(name, `a workflow file has no input "${name}"; what it can be given is args and map`);
  return inputs;
}

function textsOf(value: Json): string[] | undefined {
  const list = Array.isArray(value) ? value : [value];
  return list.every((one) => typeof one === 'string' || typeof one === 'number') ? list.map(String) : undefined;
}

export const asJson = (inputs: Inputs): JsonObject => ({ ...inputs });
