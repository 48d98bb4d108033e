import type { JsonObject } from '../plan/json.ts';
import { describe } from '../service/plan-file/describe.ts';
import { readDocument } from '../service/plan-file/document.ts';
import { isJsonObject } from '../service/plan-file/plain-json.ts';
import { collectProblems } from '../service/plan-file/problems.ts';
import { checkSchema } from '../service/plan-file/schema-problems.ts';
import { checkCatalog } from './catalog-checks.ts';
import { type CatalogWords, catalogWords, type EntityWords } from './catalog-schema.ts';
import type { FieldType } from './field-types.ts';

export { FIELD_TYPES, type FieldType } from './field-types.ts';

export interface Field {
  type: FieldType;
  description?: string;
}

/** A catalog, checked and made plain: short forms written out, defaults filled in. */
export interface Catalog {
  catalog: 1;
  name: string;
  description?: string;
  secrets?: string[];
  entities: Record<string, Entity>;
}

export interface Entity {
  description?: string;
  fields: Record<string, Field>;
  /** The field that tells one from another. */
  key?: string;
  list?: ListCall;
  get?: { http: JsonObject; item?: string };
  create?: { http: JsonObject };
  update?: { http: JsonObject };
  delete?: { http: JsonObject };
  relations?: Record<string, Relation>;
}

export interface ListCall {
  http: JsonObject;
  /** CEL over `body`. */
  items: string;
  next?: string;
  /** The query parameter that takes what `next` gives; without one that is the URL of the next page. */
  cursor?: string;
  page_size?: number;
  /** Field → query parameter by which the source itself can tell rows with a value of it. */
  filters?: Record<string, string>;
}

export interface Relation {
  to: string;
  description?: string;
}

export const LARGEST_CATALOG = 256 * 1_024;

/** Reads a catalog's text, YAML or JSON. Throws CATALOG_INVALID with all that is wrong, each with its place. */
export function readCatalog(text: string): Catalog {
  const tooLarge = Buffer.byteLength(text) > LARGEST_CATALOG;
  const document = readDocument(tooLarge ? '' : text, 'catalog');
  const report = collectProblems(document, 'CATALOG_INVALID');
  const { content } = document;
  if (tooLarge) report.problem([], `a catalog has at most ${LARGEST_CATALOG / 1_024} KiB`);
  else if (content !== undefined && !isJsonObject(content))
    report.problem(
      [],
      content === null
        ? 'the catalog is empty'
        : `a catalog is a map of words such as catalog, name and entities, not ${describe(content)}`,
    );
  else if (content && typeof content.catalog === 'number' && content.catalog !== 1)
    report.problem(
      ['catalog'],
      `this is version ${content.catalog} of the format; this release of Holdpoint reads version 1`,
    );
  else if (content) {
    const words = checkSchema(catalogWords, content, report);
    checkCatalog(content, report);
    report.raise();
    return plainCatalog(words!);
  }
  report.raise();
  throw new Error('unreachable: a text that is no catalog has a problem');
}

const plainCatalog = ({ entities, ...words }: CatalogWords): Catalog => ({
  ...words,
  entities: Object.fromEntries(Object.entries(entities).map(([name, entity]) => [name, plainEntity(entity)])),
});

function plainEntity({ fields, key, ...words }: EntityWords): Entity {
  const entity: Entity = {
    ...(words as Omit<Entity, 'fields'>),
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, typeof field === 'string' ? { type: field } : field]),
    ),
    ...keyIn(key, fields),
  };
  for (const call of ['list', 'get', 'create', 'update', 'delete'] as const) {
    const given = entity[call];
    // A text alone is its URL.
    if (given && typeof given.http === 'string') given.http = { url: given.http };
  }
  return entity;
}

const keyIn = (key: string | undefined, fields: EntityWords['fields']): { key?: string } =>
  key !== undefined ? { key } : Object.hasOwn(fields, DEFAULT_KEY) ? { key: DEFAULT_KEY } : {};
export const DEFAULT_KEY = 'id';
