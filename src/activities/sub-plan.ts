import { z } from 'zod';
import { defineTaskKind, type TaskKind } from '../plan/kind.ts';
import { NAME, NAME_RULE, notA, someTime } from '../plan/schema.ts';

const named = z.record(z.string().regex(NAME, `names have ${NAME_RULE}`), z.json());

/**
 * A plan within the plan: it has tasks of its own, reads only the `inputs` it is given, and leaves the `outputs` it names. It
 * holds, stops and fails with its parent. What stands in it is checked and made plain with the rest of the file.
 */
export const subPlan = defineTaskKind<unknown, TaskKind<unknown>>({
  key: 'plan',
  mode: 'plan',
  version: 1,
  words: z.unknown(),
  nested: ({ task, step }) =>
    z
      .strictObject(
        {
          name: z.string().min(1).max(100).optional().describe('What people call it'),
          inputs: named.default({}).describe('All that its tasks read from outside, by name'),
          outputs: named.default({}).describe('What others read of it, by name; expressions over its tasks'),
          max_parallel: z.int().min(1).max(500).default(100).describe('How many tasks may run at once'),
          deadline: someTime.optional().describe('How long it may take in all'),
          tasks: z.record(z.string(), task).optional().describe('The tasks, by id'),
          steps: z.array(step).optional().describe('Instead of `tasks`: a list that runs one after another'),
        },
        notA('a sub-plan is a map with tasks or steps, such as { tasks: { a: { run: … } } }'),
      )
      .describe('A plan within the plan')
      .meta({ oneOf: [{ required: ['tasks'] }, { required: ['steps'] }], id: 'sub_plan' }),
  plain: () => null,
});
