import { Validator } from '@cfworker/json-schema';
import { canonical } from './fingerprint.ts';
import type { Json, JsonObject } from './json.ts';

/** What is wrong with the values given for a form (JSON Schema 2020-12), naming each field; undefined when they fit. */
export function formProblem(form: JsonObject, given: JsonObject | undefined): string | undefined {
  if (given === undefined) return `values: missing; give ${Object.keys(fieldsOf(form)).join(', ')}`;
  const { valid, errors } = new Validator(form, '2020-12', false).validate(given);
  if (valid) return undefined;
  const own = errors.filter(({ keyword }) => keyword !== 'properties' && keyword !== 'items');
  return (own.length > 0 ? own : errors)
    .slice(0, 5)
    .map(
      ({ instanceLocation, error }) =>
        `values${instanceLocation.replace(/^#/, '').replaceAll('/', '.')}: ${inWords(error)}`,
    )
    .join(' ');
}

const inWords = (error: string): string => (error === 'False boolean schema.' ? 'is no field of the form.' : error);

const fieldsOf = (form: JsonObject): JsonObject => (form.properties ?? {}) as JsonObject;

/** The values with what the form says for those left out. */
export function withDefaults(form: JsonObject, given: JsonObject): JsonObject {
  const defaults = Object.entries(fieldsOf(form)).flatMap(([name, field]): [string, Json][] => {
    const { default: value } = field as JsonObject;
    return value === undefined || Object.hasOwn(given, name) ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(defaults), ...given };
}

/** Whether these values were given before, defaults not counted. */
export const sameValues = (recorded: JsonObject | undefined, given: JsonObject | undefined): boolean =>
  Object.entries(given ?? {}).every(([name, value]) => canonical(recorded?.[name]) === canonical(value)) &&
  (recorded === undefined) === (given === undefined);
