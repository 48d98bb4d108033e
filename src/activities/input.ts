import { Validator } from '@cfworker/json-schema';
import { z } from 'zod';
import type { Json, JsonObject } from '../plan/json.ts';
import { defineTaskKind, type TaskKind } from '../plan/kind.ts';
import { type InputType, NAME, NAME_RULE } from '../plan/schema.ts';
import { ASKED, checkTimeout, plainQuestion } from './question-words.ts';

/** Formats that can be checked without running an expression over text that somebody else wrote. */
const FORMATS = ['date', 'date-time', 'time', 'email', 'uri', 'uuid'] as const;

const limit = z.number().optional();
const size = z.int().min(0).optional();

/** One field of a form: JSON Schema without what refers elsewhere or runs regular expressions. */
const field: z.ZodType = z.lazy(() =>
  z
    .strictObject({
      type: z.enum(['string', 'number', 'integer', 'boolean', 'array', 'object']).optional(),
      title: z.string().optional(),
      description: z.string().optional(),
      default: z.json().optional(),
      enum: z.array(z.json()).min(1).optional(),
      format: z.enum(FORMATS).optional(),
      minimum: limit,
      maximum: limit,
      exclusiveMinimum: limit,
      exclusiveMaximum: limit,
      multipleOf: z.number().positive().optional(),
      minLength: size,
      maxLength: size,
      items: field.optional(),
      minItems: size,
      maxItems: size,
      uniqueItems: z.boolean().optional(),
      properties: z.record(z.string(), field).optional(),
      /** Of a field: whether it has to be given; of an object within it: which of its properties have to be. */
      required: z.union([z.boolean(), z.array(z.string())]).optional(),
      additionalProperties: z.boolean().optional(),
    })
    .superRefine((given, context) => {
      const { default: preset, required: _, ...schema } = given as JsonObject;
      if (preset !== undefined && !new Validator(schema, '2020-12').validate(preset).valid)
        context.addIssue({ code: 'custom', path: ['default'], message: 'does not fit the field itself' });
      const { enum: allowed, type } = schema;
      for (const [k, value] of ((allowed ?? []) as Json[]).entries())
        if (type !== undefined && !new Validator({ type: type as InputType }, '2020-12').validate(value).valid)
          context.addIssue({ code: 'custom', path: ['enum', k], message: `is not of the type ${String(type)}` });
    })
    .meta({ id: 'field' }),
);

const form = z
  .record(z.string().regex(NAME, `names have ${NAME_RULE}`), field)
  .refine((fields) => Object.keys(fields).length > 0, 'asks for nothing; name at least one field');
const input = z
  .strictObject({ ...ASKED, form: form.describe('The fields, by name; each is a JSON Schema') })
  .superRefine(checkTimeout);
type Words = z.infer<typeof input>;

/** Asks somebody to fill in a form; what they gave is its output `values`. */
export const inputKind = defineTaskKind<Words, TaskKind<Words>>({
  key: 'input',
  mode: 'question',
  version: 1,
  words: input.describe('Asks somebody to fill in a form'),
  plain: ({ form, ...words }) => plainQuestion({ ...words, options: [], form: schemaOf(form) }) as unknown as Json,
});

/** The JSON Schema of the whole form: every field has to be given unless it has a default or says otherwise. */
function schemaOf(fields: Record<string, unknown>): JsonObject {
  const list = Object.entries(fields as Record<string, JsonObject>);
  const isRequired = ({ required, default: preset }: JsonObject) => required !== false && preset === undefined;
  return {
    type: 'object',
    properties: Object.fromEntries(list.map(([name, given]) => [name, withoutFlag(given)])),
    required: list.filter(([, given]) => isRequired(given)).map(([name]) => name),
    additionalProperties: false,
  };
}

function withoutFlag({ required, ...field }: JsonObject): JsonObject {
  return typeof required === 'object' && required !== null ? { ...field, required } : field;
}
