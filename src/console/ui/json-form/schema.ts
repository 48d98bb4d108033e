/** The parts of JSON Schema (2020-12) that a form is drawn by. */
export interface JsonSchema {
  type?: string | string[];
  title?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  [keyword: string]: unknown;
}
export type JsonValues = Record<string, unknown>;

/** What is written in a field of JSON, while it cannot be read. */
export class Unreadable {
  readonly text: string;
  readonly why: string;
  constructor(text: string, why: string) {
    this.text = text;
    this.why = why;
  }
}

/** How a field is drawn. What none of these fits is written as JSON. */
export type FieldLook =
  | 'choice'
  | 'choices'
  | 'yes_no'
  | 'number'
  | 'date'
  | 'text'
  | 'long_text'
  | 'lines'
  | 'group'
  | 'json';

const LONG = 200;
const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** Objects within the form's own object are drawn as a group; what is in those further down is written as JSON. */
export function lookOf(schema: JsonSchema, depth = 0): FieldLook {
  const { type, items } = schema;
  if (schema.enum?.length && schema.enum.every(isPlain)) return 'choice';
  if (type === 'boolean') return 'yes_no';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'string') {
    if (schema.format === 'date') return 'date';
    return (schema.maxLength ?? 0) > LONG ? 'long_text' : 'text';
  }
  if (type === 'array' && items?.enum?.length && items.enum.every(isPlain)) return 'choices';
  if (type === 'array' && items?.type === 'string') return 'lines';
  if (type === 'object' && depth === 0 && Object.keys(schema.properties ?? {}).length > 0) return 'group';
  return 'json';
}

/** What a form begins with: its defaults, under what is known already. */
export function initialValues(schema: JsonSchema, known: JsonValues = {}): JsonValues {
  const values: JsonValues = {};
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const given = known[name];
    if (given !== undefined) values[name] = given;
    else if (field.default !== undefined) values[name] = field.default;
    else if (lookOf(field) === 'group') {
      const inner = initialValues(field);
      if (Object.keys(inner).length > 0 || schema.required?.includes(name)) values[name] = inner;
    }
  }
  return values;
}

/** The values with one changed; one that is not given is not there at all. */
export function withValue(values: JsonValues, name: string, value: unknown): JsonValues {
  if (value !== undefined) return { ...values, [name]: value };
  const { [name]: _, ...rest } = values;
  return rest;
}
