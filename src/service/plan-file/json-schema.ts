import { z } from 'zod';
import { KINDS } from '../../activities/kinds.ts';
import type { Json, JsonObject } from '../../plan/json.ts';
import { planFileSchema } from '../../plan/schema.ts';
import { isJsonObject } from './plain-json.ts';

/**
 * The format of plan files as JSON Schema, for editors: draft 7, which all of them know. It says what a schema can say; that
 * names exist, that needs have no cycle and what stands in expressions is checked by Holdpoint.
 */
export function planFileJsonSchema(): JsonObject {
  const made = z.toJSONSchema(planFileSchema(KINDS), { target: 'draft-7', io: 'input', unrepresentable: 'any' });
  const { definitions, $schema, title, ...top } = made as unknown as JsonObject;
  const all = definitions as Record<string, JsonObject>;
  const refs = refsOf(all);
  const named = Object.entries(all).filter(([name]) => refs(name) === name);
  return {
    $schema: $schema!,
    title: title!,
    ...plainer(top, refs),
    definitions: Object.fromEntries(named.map(([name, schema]) => [name, plainer(schema, refs)])),
  };
}

/** What is meant by a reference to a definition of this name: itself, another that it only refers to, or anything at all. */
type Refs = (name: string) => string | undefined;

function refsOf(all: Record<string, JsonObject>): Refs {
  return function meant(name): string | undefined {
    const { $ref, allOf, anyOf, ...more } = all[name]!;
    const [only, second] = [...((allOf ?? []) as JsonObject[]), ...($ref === undefined ? [] : [{ $ref }])];
    const refersOnly = Object.keys(more).length === 0 && !second && typeof only?.$ref === 'string';
    if (refersOnly) return meant(nameIn(only.$ref as string));
    // What `z.json()` becomes: an editor is told nothing by it.
    return Array.isArray(anyOf) && anyOf.length === 6 ? undefined : name;
  };
}

const nameIn = ($ref: string): string => $ref.slice('#/definitions/'.length);

/** Words of JSON Schema that editors of this draft do not know, and detours, written plainly. */
function plainer({ dependentRequired, allOf, $ref, id: _, ...rest }: JsonObject, refs: Refs): JsonObject {
  const schema = mapped(rest, (item, key) => (NO_SCHEMA.includes(key) ? item : below(key, item, refs)));
  if (dependentRequired) schema.dependencies = dependentRequired;
  const all = [...((allOf ?? []) as JsonObject[]), ...($ref === undefined ? [] : [{ $ref }])].flatMap((one) => {
    const meant = typeof one.$ref === 'string' ? refs(nameIn(one.$ref)) : undefined;
    if (meant !== undefined) return [{ $ref: `#/definitions/${meant}` }];
    return one.$ref === undefined ? [plainer(one, refs)] : [];
  });
  if (all.length === 0) return schema;
  // Beside a reference this draft reads nothing else.
  return all.length === 1 && Object.keys(schema).length === 0 ? all[0]! : { ...schema, allOf: all };
}

/** Where what stands is a value, not a schema. */
const NO_SCHEMA = ['enum', 'const', 'default', 'examples', 'required'];

/** Under `properties` the keys are words of plan files, whatever they are called. */
function below(key: string, value: Json, refs: Refs): Json {
  if (Array.isArray(value)) return value.map((item) => below('', item, refs));
  if (!isJsonObject(value)) return value;
  return key === 'properties' ? mapped(value, (item) => below('', item, refs)) : plainer(value, refs);
}

const mapped = (value: JsonObject, work: (item: Json, key: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([key, item]) => [key, work(item, key)]));
