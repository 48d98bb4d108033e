import { formProblem } from '../../plan/form.ts';
import type { Json, JsonObject } from '../../plan/json.ts';
import { typedValues } from '../arguments.ts';
import { oneLine } from '../render/text.ts';

/** One thing to choose or to type. Names with a blank are not those of a form's fields. */
export interface Field {
  name: string;
  label: string;
  /** What may be chosen; without it, text is typed. */
  options?: { label: string; value: Json }[];
  /** What is taken when nothing is typed, in words. */
  otherwise?: string;
  /** What is typed as a value, or what is wrong with it; a value of undefined leaves the field out. */
  read(text: string): { value: Json | undefined } | { problem: string };
  /** Whether it is asked at all, after what was given before. */
  applies?(given: JsonObject): boolean;
}

export const choiceField = (options: string[]): Field => ({
  name: 'the choice',
  label: 'choose',
  options: options.map((option) => ({ label: oneLine(option), value: option })),
  read: (text) => ({ value: text }),
});

export const commentField: Field = {
  name: 'a comment',
  label: 'comment',
  otherwise: 'none',
  read: (text) => ({ value: text.trim() === '' ? undefined : text.trim() }),
};

/** What a failed task that is taken as done leaves for others. */
export const outputsField: Field = {
  name: 'the outputs',
  label: 'outputs, as JSON',
  otherwise: 'none',
  applies: (given) => given['the choice'] === 'complete',
  read(text) {
    if (text.trim() === '') return { value: undefined };
    const value = parsed(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? { value } : { problem: 'write a JSON object, such as {"version": "1.2"}' };
  },
};

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The fields of a form (JSON Schema), in its order. */
export function formFields(form: JsonObject): Field[] {
  const fields = (form.properties ?? {}) as Record<string, JsonObject>;
  const required = (form.required ?? []) as string[];
  return Object.entries(fields).map(([name, schema]) => formField(name, schema, required.includes(name)));
}

function formField(name: string, schema: JsonObject, required: boolean): Field {
  const options = optionsOf(schema);
  const mayBeLeftOut = schema.default !== undefined || !required;
  return {
    name,
    label: oneLine(`${schema.title ?? name}${schema.description ? ` (${schema.description})` : ''}`),
    ...(options && { options: defaultFirst(options, schema.default) }),
    ...(mayBeLeftOut && { otherwise: schema.default === undefined ? 'left out' : oneLine(words(schema.default)) }),
    read(text) {
      if (text === '') return mayBeLeftOut ? { value: undefined } : { problem: 'it has to be given' };
      const one = { type: 'object', properties: { [name]: schema } };
      const values = typedValues({ [name]: text }, one);
      const problem = formProblem(one, values);
      return problem === undefined ? { value: values[name] } : { problem: problem.replaceAll(`values.${name}: `, '') };
    },
  };
}

function optionsOf({ type, enum: allowed }: JsonObject): Field['options'] {
  if (Array.isArray(allowed)) return allowed.map((value) => ({ label: oneLine(words(value)), value }));
  if (type !== 'boolean') return undefined;
  return [
    { label: 'yes', value: true },
    { label: 'no', value: false },
  ];
}

const defaultFirst = (options: NonNullable<Field['options']>, value: Json | undefined) => {
  const isDefault = (option: { value: Json }) => value !== undefined && words(option.value) === words(value);
  return [...options.filter(isDefault), ...options.filter((option) => !isDefault(option))];
};

const words = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
