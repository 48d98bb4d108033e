import fc from 'fast-check';
import { test } from 'vitest';
import { WORLD } from '../program/world.ts';
import { hunt } from './hunt.ts';
import { mutatedText, mutatedTree, tokens } from './mutations.ts';
import { catalogHolds, programHolds, programIsRead } from './programs.ts';

const SEEDS = [
  'City.filter{pop >= 300}.limit(3)[id, name]',
  'big = City{pop > 9, country = [it, "fr"], founded < 1900-01-31}\nbig => { n: _.name, t: _.tags.a.b }',
  'x = City\na = x.limit(2).sort(pop, desc, name)\nb = x.group_by(country, n=count, t=sum(pop)).page_size(5)\nreturn a, b',
  'City("rome").districts{size > 3}.singleton()',
  'City.limit(3) => City(_.id).update(pop=_.pop, name="x\\u00e9\\n")',
  'City~"ro"{capital = true}.sort{-pop, name}.aggregate(count, m=max(area))',
  'District(7).^Mayor ;; nobody\n  .limit(1)',
  'City.get("a/b").create(name=null)',
];
const WORDS = [
  ...['City', 'District', 'Mayor', 'x', 'y', '_', 'return ', 'wait(', 'cancel(s0_o1)', 'page(s0_pg1)', 'plan:', 'e1'],
  ...[
    '.filter{',
    '.limit(',
    '.page_size(',
    '.sort(',
    '.sort{-',
    '.project{',
    '.singleton()',
    '.aggregate(',
    '.group_by(',
  ],
  ...['.get(', '.create(', '.update(', '.delete()', '.districts', '.^District', '.', ' => ', ' = ', '~'],
  ...['{', '}', '(', ')', '[', ']', ',', ':', '^', '=', '==', '!=', '<=', '>', '-', '!', '&&', ';', ';;', '#', '<<T'],
  ...['pop', 'name', 'id', 'tags', 'country', 'founded', 'n=count', 't=sum(pop)', 'desc', 'asc', '_.id', 'x.name'],
  ...[
    '1',
    '0',
    '-1',
    '1.5',
    '1e999',
    '9007199254740993',
    'true',
    'null',
    '"a"',
    "'b'",
    '"',
    "'",
    '\\',
    '"\\ud800"',
    '2026-01-31',
  ],
  ...[' ', '\n', '\r\n', '\t', '\0', '\uFEFF', '\u00a0', 'é', '😀', '\ud800', '__proto__', 'constructor', 'toString'],
  ...['['.repeat(40), '('.repeat(200), '.limit(3)'.repeat(50), '\n'.repeat(50)],
];
hunt('program', tokens(WORDS, SEEDS), programHolds, { share: 0.15, runs: 250 });

const catalogs = fc.oneof(mutatedText([WORLD]), mutatedTree([WORLD]));
hunt('catalog', catalogs, catalogHolds, { share: 0.05, runs: 100 });

/** As large as programs may be, or a little larger, of one thing over and over. */
const large = fc
  .tuple(fc.constantFrom(...WORDS, ...SEEDS), fc.constantFrom(...WORDS, ...SEEDS), fc.constantFrom('', '\n', ' ', ', '))
  .map(([first, second, joint]) => {
    const one = `${first}${second}${joint}`;
    return one.repeat(Math.ceil(60_000 / one.length)).slice(0, 64_000);
  });
test('programs of one thing over and over', { timeout: 240_000 }, () => {
  fc.assert(
    fc.property(large, (text) => void programIsRead(text)),
    { seed: 7, numRuns: 8 },
  );
});
test.each([
  '[',
  '{',
  '(',
  'City(',
  'x=>',
  'City=>City(_.id)',
  '"',
  '\\',
  ';;',
  '-',
  'a.',
  'a,',
  'a=',
  'a\n',
  '\n',
  '{a=[',
  'x = City\n',
])(
  'a program of %j alone',
  { timeout: 240_000 },
  (one) => void programIsRead(one.repeat(Math.floor(65_536 / one.length))),
);
