import { describe, expect, test } from 'vitest';
import { readCatalog } from '../../src/program/catalog.ts';
import { promptHash } from '../../src/program/prompt-hash.ts';
import { problemsOf, WORLD, world } from './world.ts';

const wrong = (text: string) => problemsOf(() => readCatalog(text), 'CATALOG_INVALID');
const entity = (words: string) => `catalog: 1\nname: x\nentities:\n  E:\n    ${words.replaceAll('\n', '\n    ')}\n`;

test('a catalog comes with its short forms written out', () => {
  expect(world.entities.Mayor).toEqual({
    fields: { id: { type: 'integer' }, name: { type: 'string' } },
    key: 'id',
    get: { http: { url: 'https://example.org/mayors/{id}' } },
  });
  expect(world.entities.Law).not.toHaveProperty('key');
  expect(world.entities.City?.list?.filters).toEqual({ country: 'in_country', capital: 'is_capital' });
});

test('the catalog of the document is read, as YAML and as JSON', () => {
  const yaml = `
catalog: 1
name: pokedex
entities:
  Pokemon:
    fields: { id: integer, name: string, base_experience: integer }
    list: { http: { url: "http://127.0.0.1:8080/pokemon" }, items: body.items, next: body.next, cursor: cursor, page_size: 50 }
`;
  const catalog = readCatalog(yaml);
  expect(catalog.entities.Pokemon?.list?.page_size).toBe(50);
  expect(promptHash(catalog)).toMatch(/^[0-9a-f]{32}$/);
  expect(readCatalog(JSON.stringify(catalog))).toEqual(catalog);
});

describe('the hash of a catalog', () => {
  test.each([
    ['comments and white space', `# a comment\n\n${WORLD.replaceAll(': {', ':   {')}\n`],
    ['the order of words', WORLD.replace('catalog: 1\nname: world\n', '').concat('name: world\ncatalog: 1\n')],
    [
      'short forms',
      WORLD.replace(
        'http: "https://example.org/mayors/{id}"',
        'http: { url: "https://example.org/mayors/{id}" }',
      ).replace('id: integer, name: string }', 'id: { type: integer }, name: { type: string } }'),
    ],
    ['a key that is said', WORLD.replace('  Mayor:', '  Mayor:\n    key: id')],
  ])('is the same with other %s', (_what, text) => {
    expect(text).not.toBe(WORLD);
    expect(promptHash(readCatalog(text))).toBe(promptHash(world));
  });

  test.each([
    ['a name', WORLD.replace('name: world', 'name: worlds')],
    ['a type', WORLD.replace('pop: integer', 'pop: number')],
    ['a description', WORLD.replace('where people live', 'where many live')],
    ['an address', WORLD.replace('/cities"', '/towns"')],
  ])('is another with another %s', (_what, text) => {
    expect(text).not.toBe(WORLD);
    expect(promptHash(readCatalog(text))).not.toBe(promptHash(world));
  });
});

const GET = 'get: { http: "https://example.org/{id}" }';
test.each<[string, string, ...(string | RegExp)[]]>([
  ['nothing', '', '1:1 the catalog is empty'],
  ['a list', '[1]', '1:1 a catalog is a map of words such as catalog, name and entities, not a list'],
  ['no YAML', 'catalog: [', /^1:11 this is not valid YAML/],
  [
    'another version',
    'catalog: 2\nname: x',
    '1:10 this is version 2 of the format; this release of Holdpoint reads version 1',
  ],
  ['two documents', 'catalog: 1\n---\ncatalog: 1', '2:1 a catalog is one document; another one begins here'],
  ['missing words', 'catalog: 1', '1:1 `name` is missing', '1:1 `entities` is missing'],
  ['unknown words', 'catalog: 1\nname: x\nentites: {}', '3:1 unknown word "entites"; did you mean "entities"?'],
  ['no entities', 'catalog: 1\nname: x\nentities: {}', '3:11 a catalog has one entity at least'],
  ['no fields', entity('fields: {}'), '5:13 an entity has one field at least'],
  ['an unknown type', entity('fields: { a: int }'), /^5:18 .*(string|integer)/],
  ['a name that programs cannot say', entity('fields: { "a b": string }'), /^5:15 programs name it without quotes/],
  [
    'a name that programs have',
    'catalog: 1\nname: x\nentities:\n  wait: { fields: { a: string } }',
    '4:3 is a word of programs; choose another name',
  ],
  [
    'no key',
    entity(`fields: { a: string }\n${GET}`),
    '6:5 needs to know by which field one row is told: add a field id, or say key: FIELD',
  ],
  [
    'an unknown key',
    entity('fields: { name: string }\nkey: nam'),
    '6:10 there is no field "nam"; did you mean "name"?',
  ],
  ['a key of json', entity(`fields: { id: json }\n${GET}`), '5:19 is json; a key is string, integer, number, date'],
  [
    'a get without its id',
    entity('fields: { id: string }\nget: { http: "https://example.org/" }'),
    '6:18 has to say where the key of the row goes: {id} in its url or query',
  ],
  [
    'a read by POST',
    entity('fields: { id: string }\nlist: { http: { url: "https://example.org/", method: POST }, items: body }'),
    '6:58 what reads asks with GET alone; remove it',
  ],
  [
    'a change without a method',
    entity('fields: { id: string }\ncreate: { http: "https://example.org/" }'),
    '6:21 what changes something names its method: POST, PUT, PATCH, DELETE',
  ],
  [
    'pages of a plan file',
    entity(
      'fields: { id: string }\nlist: { http: { url: "https://example.org/", pages: { items: body.a, next: body.b } }, items: body }',
    ),
    /^6:50 belongs to plan files/,
  ],
  ['no URL', entity('fields: { id: string }\nlist: { http: { url: "nowhere" }, items: body }'), /^6:26 .*is not a URL/],
  [
    'a URL that is none',
    entity('fields: { id: string }\nlist: { http: nowhere, items: body }'),
    /^6:19 .*is not a URL/,
  ],
  [
    'CEL that is none',
    entity('fields: { id: string }\nlist: { http: "https://example.org/", items: "body.[" }'),
    /^6:50 /,
  ],
  [
    'CEL that reads something else',
    entity('fields: { id: string }\nlist: { http: "https://example.org/", items: "inputs.a + bdy" }'),
    '6:50 "inputs" cannot be read here; there is body, the answer of the source',
    '6:50 "bdy" cannot be read here; there is body, the answer of the source',
    /^6:50 says nothing of body/,
  ],
  [
    'an unknown function',
    entity('fields: { id: string }\nlist: { http: "https://example.org/", items: "siz(body)" }'),
    '6:50 there is no function "siz"; did you mean "size"?',
  ],
  [
    'a cursor without next',
    entity('fields: { id: string }\nlist: { http: "https://example.org/", items: body, cursor: c }'),
    /^6:56 is the query parameter that takes what `next` gives/,
  ],
  [
    'a cursor that is set already',
    entity(
      'fields: { id: string }\nlist: { http: { url: "https://example.org/", query: { c: 1 } }, items: body, next: body.n, cursor: c }',
    ),
    /^6:59 is the cursor, which every page after the first sets/,
  ],
  [
    'filters of no field',
    entity(
      'fields: { id: string, j: json }\nlist: { http: "https://example.org/", items: body, filters: { idd: a, j: b } }',
    ),
    '6:67 there is no field "idd"; did you mean "id"?',
    '6:75 is json, which no query holds',
  ],
  [
    'filters by what is set already',
    entity(
      'fields: { id: string, a: string }\nlist: { http: { url: "https://example.org/", query: { q: 1 } }, items: body, next: body.n, cursor: c, filters: { id: q, a: c } }',
    ),
    '6:122 "q" is set in http.query already',
    '6:128 "c" is the cursor',
  ],
  [
    'a relation to nothing',
    entity('fields: { id: string }\nrelations: { r: { to: F } }'),
    '6:27 there is no entity "F"',
  ],
  [
    'a relation named as a field',
    entity('fields: { id: string }\nrelations: { id: { to: E } }'),
    /^6:18 id is a field, too/,
  ],
  [
    'a secret that is not named',
    entity(
      'fields: { id: string }\nlist: { http: { url: "https://example.org/", headers: { a: "${{ secrets.T }}" } }, items: body }',
    ),
    /^6:64 the secret "T" is not named: add it to `secrets` of the catalog/,
  ],
  [
    'an expression over inputs',
    entity('fields: { id: string }\nlist: { http: "https://example.org/${{ inputs.a }}", items: body }'),
    /^6:19 "inputs.a" cannot be read here; a request of a catalog reads secrets alone/,
  ],
  [
    'an expression that is not closed',
    entity('fields: { id: string }\nlist: { http: "https://example.org/${{ secrets.T", items: body }'),
    /^6:19 /,
  ],
  [
    'a page of no rows',
    entity('fields: { id: string }\nlist: { http: "https://example.org/", items: body, page_size: 0 }'),
    /^6:67 is the number 0; it has to be 1 or more/,
  ],
  ['too much', `catalog: 1\nname: x\n# ${'x'.repeat(300_000)}`, '1:1 a catalog has at most 256 KiB'],
])('%s is told with its place', (_what, text, ...told) => {
  const found = wrong(text);
  expect(found).toHaveLength(told.length);
  for (const [i, one] of told.entries())
    typeof one === 'string' ? expect(found[i]).toBe(one) : expect(found[i]).toMatch(one);
});

test('all problems are told at once', () => {
  expect(
    wrong(WORLD.replace('pop: integer', 'pop: int').replace('items: body.laws', 'items: boddy.laws')),
  ).toHaveLength(3);
});
