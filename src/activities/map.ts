import { z } from 'zod';
import { defineTaskKind, type TaskKind } from '../plan/kind.ts';
import { itemName, notA } from '../plan/schema.ts';

const LIST_RULE = 'write a list, or an expression that gives one';

/**
 * Does one task for every item of a list. Its outputs are counts and `results`: per item, in order, `{status, outputs, error}`.
 * What stands in its task is checked and made plain with the rest of the file.
 */
export const map = defineTaskKind<unknown, TaskKind<unknown>>({
  key: 'map',
  mode: 'map',
  version: 1,
  words: z.unknown(),
  nested: ({ item }) =>
    z
      .strictObject(
        {
          in: z.union([z.string(LIST_RULE), z.array(z.json())]).describe('An expression that gives a list, or a list'),
          as: itemName.default('item').describe('By what name its task reads the item'),
          max_parallel: z.int().min(1).max(500).default(10).describe('How many items at once'),
          fail_fast: z.boolean().default(true).describe('Whether no further item starts once one has failed'),
          task: item.describe('What is done for every item'),
        },
        notA('a map says `in` which list and `task` what to do, such as { in: "inputs.names", task: { run: … } }'),
      )
      .meta({ description: 'One task for every item of a list', id: 'map' }),
  plain: () => null,
});
