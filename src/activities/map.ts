import { z } from 'zod';
import { defineTaskKind, type TaskKind } from '../plan/kind.ts';
import { NAME, NAME_RULE, notA } from '../plan/schema.ts';

/** What expressions read already, and the words of the language itself. */
const TAKEN = [
  'inputs',
  'tasks',
  'secrets',
  'plan',
  'index',
  '__proto__',
  ...'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
];

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
          as: z
            .string()
            .regex(NAME, `names have ${NAME_RULE}`)
            .regex(/^[^-]*$/, 'expressions read it without quotes, so it cannot have a "-"')
            .refine((name) => !TAKEN.includes(name), 'this name is taken')
            .default('item')
            .describe('By what name its task reads the item'),
          max_parallel: z.int().min(1).max(500).default(10).describe('How many items at once'),
          fail_fast: z.boolean().default(true).describe('Whether no further item starts once one has failed'),
          task: item.describe('What is done for every item'),
        },
        notA('a map says `in` which list and `task` what to do, such as { in: "inputs.names", task: { run: … } }'),
      )
      .meta({ description: 'One task for every item of a list', id: 'map' }),
  plain: () => null,
});
