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
          name: z.string().min(1).max(100).optional(),
          inputs: named.default({}),
          outputs: named.default({}),
          max_parallel: z.int().min(1).max(500).default(100),
          deadline: someTime.optional(),
          tasks: z.record(z.string(), task).optional(),
          steps: z.array(step).optional(),
        },
        notA('a sub-plan is a map with tasks or steps, such as { tasks: { a: { run: … } } }'),
      )
      .meta({ oneOf: [{ required: ['tasks'] }, { required: ['steps'] }] }),
  plain: () => null,
});
