import { references, splitTemplate } from '../plan/expression.ts';
import type { Json, JsonObject } from '../plan/json.ts';
import type { Entity, ListCall } from './catalog.ts';
import type { GetSource, ListSource, Predicate } from './dag.ts';

/** The request for rows; what the source itself can tell apart by a value it is asked for. */
export function listSource(list: ListCall, predicates: readonly Predicate[]): ListSource {
  const { http, filters = {}, ...pages } = list;
  const pushed: JsonObject = {};
  for (const { field, op, value } of predicates) {
    const parameter = Object.hasOwn(filters, field) ? filters[field] : undefined;
    // A list stands for one of several values, which a query says in no way that is everywhere the same.
    if (parameter === undefined || op !== '=' || value === null || typeof value === 'object') continue;
    if (!Object.hasOwn(pushed, parameter)) pushed[parameter] = asText(value);
  }
  const query = { ...(http.query as JsonObject | undefined), ...pushed };
  return { http: { ...http, ...(Object.keys(query).length > 0 && { query }) }, ...pages, ...secretsIn(http) };
}

export function getSource(get: NonNullable<Entity['get']>, key: string | number): GetSource {
  const { http, ...rest } = get;
  const url = String(http.url).replaceAll('{id}', () => encodeURIComponent(key));
  const query = http.query === undefined ? undefined : filled(http.query, asText(String(key)) as string);
  return { http: { ...http, url, ...(query !== undefined && { query }) }, ...rest, ...secretsIn(http) };
}

const filled = (value: Json, id: string): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, id)]))
    : typeof value === 'string'
      ? value.replaceAll('{id}', () => id)
      : value;

/** A text that says `${{` would be computed where the request is made. */
const asText = (value: Json): Json => (typeof value === 'string' ? value.replaceAll('${{', () => '$${{') : value);

const known = new WeakMap<JsonObject, string[]>();

/** Names of secrets that a request reads. */
function secretsIn(http: JsonObject): { secrets?: string[] } {
  const names = known.get(http) ?? [...new Set(textsIn(http).flatMap(secretsOfText))].sort();
  known.set(http, names);
  return names.length > 0 ? { secrets: names } : {};
}

const secretsOfText = (text: string): string[] =>
  splitTemplate(text).flatMap((part) => ('expression' in part ? references(part.expression).secrets : []));

/** Every text in a value, names of maps left out. */
export function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
