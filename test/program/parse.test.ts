import { describe, expect, test } from 'vitest';
import { parseProgram } from '../../src/program/parse.ts';
import { wrongIn } from './world.ts';

const wrong: [text: string, ...told: (string | RegExp)[]][] = [
  ['', '1:1 the program is empty; the smallest one is the name of an entity'],
  [' ;; nothing\n\n', '1:1 the program is empty; the smallest one is the name of an entity'],
  ['City.filter{pop >=', '1:12 this "{" is never closed: "}" is missing'],
  ['City.limit(3', '1:11 this "(" is never closed: ")" is missing'],
  ['City.limit(3]', '1:13 ")" is expected here, not "]"'],
  ['City}', '1:5 this "}" closes nothing'],
  ['City{pop >= }', '1:13 expected a value, found "}"'],
  ['City{pop 3}', '1:10 expected a comparison such as >=, "," or "}", found "3"'],
  ['City{pop = 1 name = x}', '1:14 expected "," or "}", found "name"'],
  ['City{pop = 1 and name = x}', '1:14 predicates are joined by a comma, not by "and"'],
  ['City{pop = 1 or name = x}', '1:14 "or" is not supported; for one of several values write field = [a, b]'],
  ['City{pop = 1 && name = x}', '1:14 predicates are joined by a comma'],
  ['City{pop = 1 || name = x}', '1:14 "or" is not supported; for one of several values write field = [a, b]'],
  ['City{!capital}', '1:6 not equal is written !='],
  ['City{name = “x”}', '1:13 “ is no quotation mark here; write "'],
  ['City{name = "x}', '1:13 this text is not closed on its line: " is missing'],
  ['City{name = "a\\qb"}', /^1:13 in a text a \\ stands before a quotation mark/],
  ['City{name = "\\ud800"}', '1:13 the text holds half a character (a lone surrogate), which no message can hold'],
  [
    'City{name = <<TAG\ntext\nTAG}',
    '1:13 a text over several lines (<<TAG) is not supported; write it in quotes, with \\n',
  ],
  ['City{pop = €}', '1:12 € has no meaning in a program; in a text it stands in quotes'],
  ['City\u0000', '1:5 U+0000 has no meaning in a program; in a text it stands in quotes'],
  ['City # all', '1:6 a comment begins with ;;'],
  ['City ; all', '1:6 a comment begins with ;;'],
  ['City District', '1:6 expected a step such as .limit(3) or the end of the line, found "District"'],
  ['x =', '1:4 expected a name, found the end of the program'],
  ['x =\nCity', '1:4 expected a name, found the end of the line'],
  ['x == City', '1:3 a step is named with one "=": name = …'],
  ['City.', '1:6 expected a name or "^", found the end of the program'],
  ['City.limit', '1:5 .limit is written .limit(10)'],
  ['City.limit{3}', /^1:12 expected /],
  ['City.limit{pop}', '1:5 .limit is written .limit(10)'],
  ['City.limit()', '1:5 .limit takes one whole number, 1 or more: .limit(10)'],
  ['City.limit(0)', '1:12 .limit takes one whole number, 1 or more: .limit(10)'],
  ['City.limit(1.5)', '1:12 .limit takes one whole number, 1 or more: .limit(10)'],
  ['City.limit(ten)', '1:12 .limit takes one whole number, 1 or more: .limit(10)'],
  ['City.limit(1, 2)', '1:12 .limit takes one whole number, 1 or more: .limit(10)'],
  ['City.page_size(-1)', '1:16 .page_size takes one whole number, 1 or more: .page_size(50)'],
  ['City.singleton(1)', '1:16 .singleton takes nothing: .singleton()'],
  ['City.fliter{pop = 1}', '1:6 there is no step .fliter; did you mean "filter"?'],
  ['City.evolve(3)', /^1:6 there is no step \.evolve; there is filter, project, sort, /],
  ['City.filter(pop = 1)', '1:5 .filter is written .filter{field >= 1, other = "text"}'],
  ['City{}', '1:5 a filter has one comparison at least, such as {field >= 1}'],
  ['City{pop}', '1:6 a filter has comparisons, such as pop = 1; fields alone stand in brackets: [pop]'],
  ['City[]', '1:5 a projection names one field at least, such as [name]'],
  ['City[name, name]', '1:12 name is named twice; keep one'],
  ['City.project{pop > 3}', '1:14 .project has names of fields alone; a comparison stands in .filter{…}'],
  ['City.sort()', '1:5 .sort names one field at least: .sort(field, desc)'],
  ['City.sort(3)', '1:11 .sort takes a field, and asc or desc behind it: .sort(field, desc)'],
  ['City.sort{pop > 3}', /^1:11 a sort has names of fields/],
  ['City.aggregate()', '1:5 .aggregate computes one value at least: .aggregate(n=count, total=sum(field))'],
  ['City.aggregate(n=coutn)', '1:18 there is no "coutn" of rows; did you mean "count"?'],
  ['City.aggregate(n=count(pop))', '1:24 count counts rows, and takes no field: n=count'],
  ['City.aggregate(n=sum)', '1:18 sum takes a field: sum(field)'],
  ['City.aggregate(n=3)', /^1:16 \.aggregate computes count, sum, min, max, avg/],
  ['City.group_by(n=count)', '1:5 .group_by names one field at least: .group_by(field, n=count)'],
  ['City.group_by(country, country=count)', '1:24 country is named twice; keep one'],
  ['City.get(1, 2)', '1:5 .get takes one value, the key: .get(id)'],
  ['City.limit(3).get("rome")', '1:14 .get(id) stands right behind the name of an entity: Entity.get(id)'],
  ['City => { n: 3 }', '1:14 a map takes fields of the row, which is _: n: _.field'],
  ['City.create()', '1:5 .create sets one field at least: .create(field=value)'],
  ['City("rome").delete(1)', '1:21 .delete takes nothing: .delete()'],
  ['City("rome").update(3)', '1:21 .update takes fields with their values: .update(field=value)'],
  [
    'City\nDistrict',
    '1:1 nothing uses these rows: name them (x = …), or put them in the last line, which gives the results',
  ],
  ['return City\nDistrict', '1:8 nothing may follow the line with return'],
  ['return = City', '1:1 "return" cannot name a step; choose another name'],
  ['page = City', '1:1 "page" cannot name a step; choose another name'],
  ['e1 = City\np2 = e1', /^1:1 names such as e1, p2, m3 and v4 are kept for later/, /^2:1/],
  ['wait()', '1:6 expected a value, found ")"'],
  ['wait', '1:1 write wait(HANDLE), with the handle that an answer gave, such as s0_o1'],
  ['page(3)', '1:1 write page(HANDLE), with the handle that an answer gave, such as s0_pg1'],
  ['x = City\nwait(s0_o1)', '2:1 wait(…) stands alone: it is a whole program'],
  ['x = wait(s0_o1)', '1:5 wait(…) stands alone: it is a whole program'],
  ['wait(s0_o1), wait(s0_o2)', '1:1 wait(…) stands alone: it is a whole program'],
  ['wait(s0_o1).limit(3)', '1:12 nothing may follow wait(…)'],
  ['cancel(s0_o1)[name]', '1:14 nothing may follow cancel(…)'],
  ['page(s0_pg1).limit(3)', '1:13 after page(…) only fields can be chosen: page(h)[a, b]'],
  ['page(s0_pg1)[name].limit(3)', '1:19 after page(…) only fields can be chosen: page(h)[a, b]'],
  ['City{pop = }\nx =\n', '1:12 expected a value, found "}"', /^2:4/],
];
test.each(wrong)('%j is told with its place', (text, ...told) => {
  const found = wrongIn(text);
  expect(found).toHaveLength(told.length);
  for (const [i, one] of told.entries())
    typeof one === 'string' ? expect(found[i]).toBe(one) : expect(found[i]).toMatch(one);
});

test('what is too large or too deep is told', () => {
  expect(wrongIn(`City{tags = ${'['.repeat(40)}1${']'.repeat(40)}}`)).toEqual(['1:44 nested deeper than 32 levels']);
  expect(wrongIn('a'.repeat(66_000))).toEqual(['1:1 a program has at most 64 KiB; this one has 65']);
  const long = `City[${'a,'.repeat(30_000)}a]`;
  expect(wrongIn(long)).toEqual(['1:20004 a program has at most 20000 words and signs']);
});

test('all problems are told at once, in the order of the text', () => {
  expect(wrongIn('x = City.limt(3)\ny = City.limit(0)\nx').map((one) => one.split(' ')[0])).toEqual(['1:10', '2:16']);
});

describe('what is no program of its own', () => {
  test.each([
    ['wait(s0_o1)', { verb: 'wait', handle: 's0_o1' }],
    ['  cancel( "s0_o12" ) ;; enough', { verb: 'cancel', handle: 's0_o12' }],
    ['page(s1_pg3)', { verb: 'page', handle: 's1_pg3' }],
    ['page(s0_pg1)[name, id]', { verb: 'page', handle: 's0_pg1', project: ['name', 'id'] }],
    ['page(s0_pg1).project{name}', { verb: 'page', handle: 's0_pg1', project: ['name'] }],
  ])('%j continues something', (text, continuation) => {
    expect(parseProgram(text)).toEqual({ kind: 'continuation', ...continuation });
  });

  test.each(['plan: 1\nname: x', '# a plan\n\nplan: 1', '---\nplan: 1', '{"plan": 1}', '"plan": 1', '\uFEFFplan: 1\n'])(
    '%j is the text of a plan file',
    (text) => {
      expect(parseProgram(text)).toEqual({ kind: 'plan', text: text.replace('\uFEFF', '') });
    },
  );

  test.each(['plan', 'plan = City', 'plan.limit(3)', 'x = plan'])('%j is none', (text) => {
    expect(parseProgram(text).kind).toBe('program');
  });

  test('a plan file may be larger than a program', () => {
    expect(parseProgram(`plan: 1\nname: ${'x'.repeat(100_000)}`).kind).toBe('plan');
  });
});

test('a text that only looks like a plan file takes no time to be told from one', () => {
  for (const text of ['\n'.repeat(60_000), '#\n'.repeat(30_000), '# \n \n'.repeat(10_000), '-'.repeat(60_000)])
    expect(() => parseProgram(`${text}x plan`)).toThrow(/line \d+/);
});
