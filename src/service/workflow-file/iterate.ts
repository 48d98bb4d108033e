import type { MapWords, PlanDefinition, SubPlanWords } from '../../plan/definition.ts';
import type { Json, JsonObject } from '../../plan/json.ts';
import { marked } from './define.ts';
import { ONCE } from './steps.ts';

/** What a workflow file is given: values, and patterns of files. */
export interface Inputs {
  args?: string[];
  map?: string[];
}

/**
 * The plan that runs another once for every match and then for every value, one after another: what is told of one iteration
 * is an item's, and a failed one keeps none of the others from running.
 */
export function iterated(inner: PlanDefinition, { args = [], map = [] }: Inputs): PlanDefinition {
  const { name, description, env: _, ...rest } = inner;
  const list = { id: 'inputs', kind: 'iterations', mode: 'activity' as const, needs: [], uses: [], inputs: [] };
  const each = marked([
    {
      id: 'iteration',
      kind: 'plan',
      mode: 'plan',
      needs: [],
      uses: [0],
      inputs: [],
      with: { definition: inner, inputs: GIVEN_TO_EACH, outputs: {} } satisfies SubPlanWords as unknown as Json,
      retry: ONCE,
      on_failure: 'fail',
    },
  ])[0]!;
  const words: MapWords = {
    in: 'tasks["inputs"].outputs.list',
    as: 'item',
    max_parallel: 1,
    fail_fast: false,
    task: each,
  };
  const iterations = { id: 'iteration', kind: 'map', mode: 'map' as const, needs: [0], uses: [0], inputs: [] };
  return {
    ...rest,
    name,
    ...(description !== undefined && { description }),
    tasks: marked([
      { ...list, with: { args, map }, retry: ONCE, on_failure: 'fail' },
      { ...iterations, with: words as unknown as Json, retry: ONCE, on_failure: 'fail' },
    ]),
  };
}

const GIVEN_TO_EACH: JsonObject = {
  ARG: '${{ item.arg }}',
  FILE: '${{ item.file }}',
  INDEX: '${{ index + 1 }}',
  TOTAL: '${{ tasks["inputs"].outputs.total }}',
};
