import { expect, test } from 'vitest';
import { type Catalog, readCatalog } from '../../src/program/catalog.ts';
import { compile } from '../../src/program/compile.ts';
import { FIELD_TYPES } from '../../src/program/field-types.ts';
import { parseProgram } from '../../src/program/parse.ts';
import { teachingOf } from '../../src/program/teaching.ts';
import { HASH, world } from './world.ts';

const catalogOf = (fields: string, name = 'E') =>
  readCatalog(`catalog: 1
name: one
entities:
  ${name}:
    fields: { ${fields} }
    list: { http: "https://example.org/", items: body }
`);

/** Programs of a teaching text: each ends with what is returned. */
function examplesIn(text: string): string[] {
  const [, code = ''] = /```text\n([\s\S]*?)```/.exec(text) ?? [];
  const examples: string[] = [];
  let lines: string[] = [];
  for (const line of code.trim().split('\n')) {
    lines.push(line);
    if (line.startsWith(';;') || /^\w+ = /.test(line)) continue;
    examples.push(lines.join('\n'));
    lines = [];
  }
  return examples;
}

test('it names every entity and field, and says what can be asked', () => {
  const text = teachingOf(world, HASH);
  expect(text).toContain(`prompt_hash: ${HASH}`);
  for (const [name, { fields }] of Object.entries(world.entities)) {
    expect(text).toContain(`### ${name}\n`);
    for (const [field, { type }] of Object.entries(fields)) expect(text).toContain(`${field}\t${type}`);
  }
  expect(text).toContain('can be asked: list, get, create, update, delete · key: id · 50 rows a page');
  expect(text).toContain('.districts → District');
  expect(text).toMatch(/wait\(s0_o1\).*cancel\(s0_o1\).*page\(s0_pg1\)/);
  expect(text.length).toBeLessThan(4_000);
});

test.each<[string, Catalog]>([
  ['the world', world],
  ...FIELD_TYPES.map((type) => [`a field of ${type}`, catalogOf(`f: ${type}`)] as [string, Catalog]),
  ['a step that is named as an entity', catalogOf('id: string, f: date', 'few')],
])('every example holds for %s', (_what, catalog) => {
  const examples = examplesIn(teachingOf(catalog, HASH));
  expect(examples.length).toBeGreaterThan(1);
  for (const example of examples) {
    const parsed = parseProgram(example);
    expect(parsed.kind).toBe('program');
    if (parsed.kind === 'program') compile(parsed.ast, catalog, HASH);
  }
});
