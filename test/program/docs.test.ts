import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readCatalog } from '../../src/program/catalog.ts';
import { compile } from '../../src/program/compile.ts';
import { parseProgram } from '../../src/program/parse.ts';
import { reviewOf } from '../../src/program/review.ts';
import { HASH } from './world.ts';

const page = readFileSync(new URL('../../docs/programs.md', import.meta.url), 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text]) => text!);
const section = (heading: string) => page.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
const codeIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
/** The first cells of a section's table. */
const programsIn = (heading: string) =>
  section(heading)
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => codeIn(line.split(' | ')[0]!));

const catalog = readCatalog(blocks('yaml')[0]!);
function run(text: string) {
  const parsed = parseProgram(text);
  if (parsed.kind !== 'program') throw new Error(`${text} is a ${parsed.kind}`);
  return compile(parsed.ast, catalog, HASH);
}

const tables = ['How are rows chosen?', 'What can be made of rows?'].flatMap(programsIn);
test('its tables hold programs', () => expect(tables.length).toBeGreaterThan(18));
test.each(tables)('%s is a program', (text) => {
  expect(run(text).dag.nodes.some(({ op }) => op === 'refused')).toBe(false);
});

test('its longer example is one', () => expect(run(blocks('text')[0]!).dag.returns).toHaveLength(2));

test.each(blocks('text')[1]!.trim().split('\n'))('%s is understood and not run', (text) => {
  const { dag, unused } = run(text);
  expect(dag.nodes.some(({ op }) => op === 'refused')).toBe(true);
  expect(reviewOf(dag, { unused }).dry_verdict).toBe('review');
});

test('what it says runs at once does', () => {
  const [example] = codeIn(section('When does').split('\nSo ')[1]!);
  const { dag, unused } = run(example!);
  expect(reviewOf(dag, { unused })).toMatchObject({ dry_verdict: 'ok', expensive: false });
});

test.each(programsIn('What else'))('%s stands in place of one', (text) => {
  expect(parseProgram(text).kind).toBe('continuation');
});
