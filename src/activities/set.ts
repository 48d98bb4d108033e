import { z } from 'zod';
import type { JsonObject } from '../plan/json.ts';
import { defineTaskKind, type TaskKind } from '../plan/kind.ts';
import { NAME, NAME_RULE } from '../plan/schema.ts';

/** Computes values at once, in the workflow: each name becomes an output, expressions anywhere inside are filled in. */
export const set = defineTaskKind<JsonObject, TaskKind<JsonObject>>({
  key: 'set',
  mode: 'value',
  version: 1,
  words: z
    .record(z.string().regex(NAME, `names have ${NAME_RULE}`), z.json())
    .refine((values) => Object.keys(values).length > 0, 'names at least one value, such as { greeting: hello }')
    .describe('Values for others, by name; expressions in them are filled in'),
  plain: (values) => values,
});
