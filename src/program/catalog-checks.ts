import { ExpressionError, functionNames, references, splitTemplate } from '../plan/expression.ts';
import type { Json, JsonObject } from '../plan/json.ts';
import { isJsonObject, type Path } from '../service/plan-file/plain-json.ts';
import type { Report } from '../service/plan-file/problems.ts';
import { textsIn } from './sources.ts';

/** What the schema of a catalog cannot say: names that have to fit each other, and expressions. Parts that are no maps are the schema's. */
export function checkCatalog(content: JsonObject, report: Report): void {
  const entities = mapOf(content.entities);
  const secrets = Array.isArray(content.secrets) ? content.secrets.filter((name) => typeof name === 'string') : [];
  for (const [name, entity] of Object.entries(entities))
    if (isJsonObject(entity)) checkEntity(entity, ['entities', name], { entities, secrets, report });
}

interface Around {
  entities: JsonObject;
  secrets: string[];
  report: Report;
}

const mapOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

function checkEntity(entity: JsonObject, path: Path, around: Around): void {
  const { report } = around;
  const fields = mapOf(entity.fields);
  checkKey(entity, fields, path, report);
  for (const call of ['list', 'get', 'create', 'update', 'delete'] as const) {
    const words = entity[call];
    if (!isJsonObject(words)) continue;
    const at = [...path, call];
    checkRequest(words.http, call, [...at, 'http'], around);
    for (const part of ['items', 'next', 'item'] as const)
      if (typeof words[part] === 'string') checkExpression(words[part], [...at, part], report);
    if (call === 'list') checkList(words, fields, at, report);
  }
  for (const [name, relation] of Object.entries(mapOf(entity.relations))) {
    const to = isJsonObject(relation) ? relation.to : undefined;
    const at = [...path, 'relations', name];
    if (Object.hasOwn(fields, name))
      report.problem(at, `${name} is a field, too; choose another name for the relation`, 'key');
    if (typeof to === 'string' && !Object.hasOwn(around.entities, to))
      report.problem([...at, 'to'], `there is no entity "${to}"${report.didYouMean(to, Object.keys(around.entities))}`);
  }
}

const KEY_TYPES = ['string', 'integer', 'number', 'date'];

function checkKey(entity: JsonObject, fields: JsonObject, path: Path, report: Report): void {
  const { key } = entity;
  const needs = ['get', 'update', 'delete'].find((call) => entity[call] !== undefined);
  if (key === undefined && !Object.hasOwn(fields, 'id')) {
    if (needs)
      report.problem(
        [...path, needs],
        `needs to know by which field one row is told: add a field id, or say key: FIELD`,
        'key',
      );
    return;
  }
  const name = key ?? 'id';
  if (typeof name !== 'string') return;
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  const type = isJsonObject(field) ? field.type : field;
  if (field === undefined)
    report.problem([...path, 'key'], `there is no field "${name}"${report.didYouMean(name, Object.keys(fields))}`);
  else if ((key !== undefined || needs) && (type === 'json' || type === 'boolean'))
    report.problem([...path, 'fields', name], `is ${type}; a key is ${KEY_TYPES.join(', ')}`);
}

function checkList(list: JsonObject, fields: JsonObject, path: Path, report: Report): void {
  const query = mapOf(mapOf(list.http).query);
  const { cursor } = list;
  if (cursor !== undefined && list.next === undefined)
    report.problem(
      [...path, 'cursor'],
      'is the query parameter that takes what `next` gives, and there is no `next`',
      'key',
    );
  if (typeof cursor === 'string' && Object.hasOwn(query, cursor))
    report.problem(
      [...path, 'http', 'query', cursor],
      'is the cursor, which every page after the first sets; remove it',
      'key',
    );
  for (const [name, parameter] of Object.entries(mapOf(list.filters))) {
    const at = [...path, 'filters', name];
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined)
      report.problem(at, `there is no field "${name}"${report.didYouMean(name, Object.keys(fields))}`, 'key');
    else if ((isJsonObject(field) ? field.type : field) === 'json')
      report.problem(at, 'is json, which no query holds', 'key');
    if (typeof parameter !== 'string') continue;
    if (parameter === cursor) report.problem(at, `"${parameter}" is the cursor`);
    else if (Object.hasOwn(query, parameter)) report.problem(at, `"${parameter}" is set in http.query already`);
  }
}

const CHANGES = ['POST', 'PUT', 'PATCH', 'DELETE'];

function checkRequest(http: Json | undefined, call: string, path: Path, { secrets, report }: Around): void {
  const words = isJsonObject(http) ? http : { url: http ?? null };
  const { method, pages } = words;
  const reads = call === 'list' || call === 'get';
  if (reads && typeof method === 'string' && method.toUpperCase() !== 'GET')
    report.problem([...path, 'method'], 'what reads asks with GET alone; remove it');
  if (!reads && !(typeof method === 'string' && CHANGES.includes(method.toUpperCase())))
    report.problem(
      method === undefined ? path : [...path, 'method'],
      `what changes something names its method: ${CHANGES.join(', ')}`,
    );
  if (pages !== undefined)
    report.problem([...path, 'pages'], 'belongs to plan files; a list of a catalog says items, next and cursor', 'key');
  const needsId = call === 'get' || call === 'update' || call === 'delete';
  const asked = [words.url ?? null, words.query ?? null, ...(call === 'get' ? [] : [words.body ?? null])];
  if (needsId && http !== undefined && !asked.flatMap(textsIn).some((text) => text.includes('{id}')))
    report.problem(path, 'has to say where the key of the row goes: {id} in its url or query');
  for (const { text, at } of placedTexts(words, isJsonObject(http) ? path : path.slice(0, -1), isJsonObject(http)))
    checkTemplate(text, at, secrets, report);
}

function placedTexts(value: Json, path: Path, inside: boolean): { text: string; at: Path }[] {
  if (typeof value === 'string') return [{ text: value, at: path }];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, one]) =>
    placedTexts(one, [...path, !inside ? 'http' : Array.isArray(value) ? Number(key) : key], true),
  );
}

/** In a request only secrets can be read: nothing else is there when a program runs. */
function checkTemplate(text: string, path: Path, secrets: string[], report: Report): void {
  told(path, report, () => {
    for (const part of splitTemplate(text)) {
      if (!('expression' in part)) continue;
      const { inputs, tasks, unknown, secrets: read } = references(part.expression);
      const other = [...inputs.map((name) => `inputs.${name}`), ...tasks.map((name) => `tasks.${name}`), ...unknown];
      for (const name of other.filter((name) => name !== 'secrets'))
        report.problem(
          path,
          `"${name}" cannot be read here; a request of a catalog reads secrets alone: \${{ secrets.NAME }}`,
        );
      for (const name of read)
        if (!secrets.includes(name))
          report.problem(
            path,
            `the secret "${name}" is not named: add it to \`secrets\` of the catalog${report.didYouMean(name, secrets)}`,
          );
    }
  });
}

function checkExpression(expression: string, path: Path, report: Report): void {
  told(path, report, () => {
    const { inputs, tasks, unknown, functions } = references(expression);
    const known = functionNames();
    const other = [...(inputs.length > 0 ? ['inputs'] : []), ...(tasks.length > 0 ? ['tasks'] : []), ...unknown];
    for (const name of other)
      if (name !== 'body')
        report.problem(path, `"${name}" cannot be read here; there is body, the answer of the source`);
    for (const name of functions)
      if (!known.includes(name))
        report.problem(path, `there is no function "${name}"${report.didYouMean(name, known)}`);
    if (!/\bbody\b/.test(expression))
      report.problem(path, 'says nothing of body, the answer of the source, such as body.items');
  });
}

function told(path: Path, report: Report, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    // The library quotes a character by its first half.
    report.problem(path, error.message.replace(/\p{Surrogate}/gu, '?'));
  }
}
