import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';
import { type JsonSchema, type JsonValues, Unreadable } from './schema.ts';

/** What is wrong, by field: `size`, `address.city`; what is wrong with the whole at the empty path. */
export type FormErrors = Record<string, string>;

/** What is wrong with the values, in words; the API looks at them with the same validator. */
export function formErrors(schema: JsonSchema, values: JsonValues): FormErrors {
  const errors: FormErrors = {};
  const readable = withoutUnreadable(values, '', errors) as JsonValues;
  missing(schema, values, '', errors);
  const { errors: found } = new Validator(schema as Schema, '2020-12', false).validate(readable);
  for (const unit of found) {
    if (CONTAINERS.includes(unit.keyword)) continue;
    const keys = unit.instanceLocation.split('/').slice(1).map(unescaped);
    const at = fieldOf(schema, keys);
    errors[at.path] ??= inWords(unit, at.schema);
  }
  return errors;
}

/** These say only that something within is wrong; what is missing is told at its own field. */
const CONTAINERS = ['properties', 'items', 'required', '$ref', 'additionalProperties'];

function missing(schema: JsonSchema, values: JsonValues, prefix: string, errors: FormErrors): void {
  for (const name of schema.required ?? [])
    if (!Object.hasOwn(values, name)) errors[prefix + name] ??= 'This is needed.';
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const value = values[name];
    if (field.type === 'object' && isObject(value)) missing(field, value, `${prefix}${name}.`, errors);
  }
}

const isObject = (value: unknown): value is JsonValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Unreadable);

function withoutUnreadable(value: unknown, path: string, errors: FormErrors): unknown {
  if (!isObject(value)) return value;
  const kept: JsonValues = {};
  for (const [name, inner] of Object.entries(value)) {
    const at = path === '' ? name : `${path}.${name}`;
    if (inner instanceof Unreadable) errors[at] = inner.why;
    else kept[name] = withoutUnreadable(inner, at, errors);
  }
  return kept;
}

/** The field that is drawn for a place in the values: that itself, or what it is in. */
function fieldOf(form: JsonSchema, keys: string[]): { path: string; schema: JsonSchema } {
  let schema = form;
  const path: string[] = [];
  for (const key of keys.slice(0, 2)) {
    const inner = schema.properties?.[key];
    if (!inner) break;
    path.push(key);
    schema = inner;
  }
  return { path: path.join('.'), schema };
}

const unescaped = (key: string): string => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~');

const TYPES: Record<string, string> = {
  integer: 'Write a whole number.',
  number: 'Write a number, such as 1.5.',
  string: 'Write a text.',
  boolean: 'Choose yes or no.',
  array: 'Write a list.',
  object: 'Write an object, such as {"name": "value"}.',
};
const WORDS: Record<string, (schema: JsonSchema) => string | undefined> = {
  type: ({ type }) => (typeof type === 'string' ? TYPES[type] : undefined),
  minimum: ({ minimum }) => `At least ${minimum}.`,
  maximum: ({ maximum }) => `At most ${maximum}.`,
  exclusiveMinimum: ({ exclusiveMinimum }) => `More than ${exclusiveMinimum}.`,
  exclusiveMaximum: ({ exclusiveMaximum }) => `Less than ${exclusiveMaximum}.`,
  minLength: ({ minLength }) => `At least ${minLength} characters.`,
  maxLength: ({ maxLength }) => `At most ${maxLength} characters.`,
  minItems: ({ minItems }) => `At least ${minItems}.`,
  maxItems: ({ maxItems }) => `At most ${maxItems}.`,
  pattern: ({ pattern }) => `Has to fit the pattern ${pattern}`,
  format: ({ format }) => `This is no ${format}.`,
  enum: () => 'Choose one of those given.',
};

function inWords({ keyword, error }: OutputUnit, schema: JsonSchema): string {
  const words = schema[keyword] === undefined ? undefined : WORDS[keyword]?.(schema);
  return words ?? (error === 'False boolean schema.' ? 'This is no field of the form.' : error);
}
