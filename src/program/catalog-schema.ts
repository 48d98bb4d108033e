import { z } from 'zod';
import { fileWords, webUrl } from '../activities/http/words.ts';
import { FIELD_TYPES } from './field-types.ts';
import { NAME } from './tokens.ts';

const LONGEST_NAME = 64;
const LONGEST_TEXT = 2_000;
/** Words of programs; `e1`, `p2`, `m3` and `v4` are for steps alone. */
const TAKEN = ['_', 'return', 'wait', 'cancel', 'page', 'true', 'false', 'null'];

const name = z
  .string()
  .regex(
    new RegExp(`^${NAME}$`, 'u'),
    'programs name it without quotes: letters, digits, "_" and "-" between them, not beginning with a digit',
  )
  .max(LONGEST_NAME, `is longer than ${LONGEST_NAME} characters`)
  .refine((text) => !TAKEN.includes(text), 'is a word of programs; choose another name');
/** It is shown in terminals and to agents. */
const shown = z
  .string()
  .regex(/^[^\p{Cc}\p{Bidi_Control}]*(?:[\n\t][^\p{Cc}\p{Bidi_Control}]*)*$/u, 'has control characters');
const description = shown.max(LONGEST_TEXT, `is longer than ${LONGEST_TEXT} characters`);
const expression = z.string().min(1);
const request = z.union([webUrl, fileWords]);

const type = z.enum(FIELD_TYPES);
const field = z.union([type, z.strictObject({ type, description: description.optional() })]);
const change = z.strictObject({ http: request });

const entity = z.strictObject({
  description: description.optional(),
  fields: z.record(name, field).refine((fields) => Object.keys(fields).length > 0, 'an entity has one field at least'),
  key: z.string().optional(),
  list: z
    .strictObject({
      http: request,
      items: expression,
      next: expression.optional(),
      cursor: z.string().min(1).optional(),
      page_size: z.int().min(1).max(1_000_000).optional(),
      filters: z.record(z.string(), z.string().min(1)).optional(),
    })
    .optional(),
  get: z.strictObject({ http: request, item: expression.optional() }).optional(),
  create: change.optional(),
  update: change.optional(),
  delete: change.optional(),
  relations: z.record(name, z.strictObject({ to: z.string(), description: description.optional() })).optional(),
});
export type EntityWords = z.infer<typeof entity>;

export const catalogWords = z.strictObject({
  catalog: z.literal(1),
  name: shown
    .regex(/\S/, 'must not be empty')
    .regex(/^[^\n\t]*$/, 'is one line')
    .max(100, 'is longer than 100 characters'),
  description: description.optional(),
  secrets: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'a secret is named with letters, digits and "_"'))
    .optional(),
  entities: z
    .record(name, entity)
    .refine((entities) => Object.keys(entities).length > 0, 'a catalog has one entity at least'),
});
export type CatalogWords = z.infer<typeof catalogWords>;
