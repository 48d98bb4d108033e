import { iterations } from '../../activities/iterations.ts';
import type { PlanDefinition } from '../../plan/definition.ts';
import type { Json } from '../../plan/json.ts';
import { ITERATION } from '../../plan/step/references.ts';
import { iterated, type Over } from '../plan-file/iterated.ts';

/** What a workflow file is given: values, and patterns of files. */
export interface Inputs {
  args?: string[];
  map?: string[];
}

/** The plan that runs another once for every file that matches, and then for every value, one after another. */
export const onceForEach = (inner: PlanDefinition, inputs: Inputs): PlanDefinition =>
  iterated(inner, { over: overOf(inputs), as: ITERATION });

function overOf({ args = [], map }: Inputs): Over {
  const none = `no file matches ${(map ?? []).join(', ')}`;
  if (map) return { lines: { map, args } as unknown as Json, none, finder: iterations };
  // Of a list expressions would be filled in: what is given is text.
  return { list: args.map((arg) => ({ name: arg.replaceAll('${{', '$${{'), total: args.length })) };
}
