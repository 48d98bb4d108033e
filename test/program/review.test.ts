import { expect, test } from 'vitest';
import { dryRunText } from '../../src/program/dry-run-text.ts';
import { compiled, reviewed } from './world.ts';

const flagsOf = (text: string) =>
  Object.entries(reviewed(text).dry_review).flatMap(([flag, value]) =>
    value === true ? [flag.replace(/^has_/, '')] : [],
  );

const UNBOUNDED = ['unprojected_multi_row_read', 'unbounded_read_root'];
test.each<[text: string, verdict: string, expensive: boolean, flags: string[], least: number, most: number | null]>([
  ['City{pop >= 300}', 'review', true, UNBOUNDED, 1, null],
  ['City[id]', 'review', true, ['unbounded_read_root'], 1, null],
  ['City => { n: _.name }', 'review', true, ['unbounded_read_root'], 1, null],
  ['City{pop >= 300}.limit(3)[id, name]', 'ok', false, [], 1, null],
  ['City{pop >= 300}.limit(3)', 'ok', false, [], 1, null],
  ['City.limit(120)', 'ok', false, [], 1, 3],
  ['City.limit(120){pop > 3}.limit(1)', 'ok', false, ['query_limit_row_filter'], 1, 3],
  ['City.page_size(220)', 'ok', false, [], 1, 5],
  ['City{pop > 3}.page_size(220)', 'ok', false, [], 1, null],
  ['City.page_size(50).limit(120)', 'ok', false, [], 1, 1],
  ['City.page_size(50).sort(pop)', 'review', true, [...UNBOUNDED, 'full_collection_compute'], 1, null],
  ['City.limit(50).sort(pop)', 'ok', false, [], 1, 1],
  ['City.sort(pop)[id]', 'review', true, ['unbounded_read_root', 'full_collection_compute'], 1, null],
  ['City.limit(9).aggregate(count)', 'review', false, ['full_collection_compute'], 1, 1],
  ['City.aggregate(count)', 'review', true, ['unbounded_read_root', 'full_collection_compute'], 1, null],
  ['City.page_size(9).group_by(country)', 'review', true, ['unbounded_read_root', 'full_collection_compute'], 1, null],
  ['City("rome")', 'ok', false, [], 1, 1],
  ['City("rome")[name]', 'ok', false, [], 1, 1],
  ['City("rome").aggregate(count)', 'ok', false, [], 1, 1],
  ['District.limit(3)', 'ok', false, [], 1, 1],
  ['District[id]', 'review', true, ['unbounded_read_root'], 1, 1],
  ['Law.limit(3)', 'ok', false, [], 1, null],
  ['x = City\nreturn x.limit(3), x.limit(4)', 'review', true, UNBOUNDED, 1, null],
  ['x = City\nreturn x[id], x[name]', 'review', true, ['unbounded_read_root'], 1, null],
  ['x = City\nreturn x, x[name]', 'review', true, UNBOUNDED, 1, null],
  ['return City.limit(50), District.limit(1), City.limit(100)', 'ok', false, [], 3, 4],
  ['City("rome").districts', 'review', true, ['relation_many_source_fanout'], 1, 1],
  ['City.limit(3) => City(_.id).delete()', 'review', true, ['foreach_fanout_risk'], 1, 1],
  ['City("rome").delete()', 'review', false, [], 0, 0],
  ['City~"ro"', 'review', false, [], 0, 0],
])('%j is %s', (text, verdict, expensive, flags, least, most) => {
  const review = reviewed(text);
  expect(flagsOf(text).sort()).toEqual([...flags].sort());
  expect(review).toMatchObject({ dry_verdict: verdict, expensive, estimated_calls: { least, most } });
  expect(review.reasons.length > 0).toBe(verdict === 'review' || flags.length > 0);
  expect(Object.keys(review.dry_review)).toHaveLength(6);
});

test('an unused step is advice alone', () => {
  const review = reviewed('u = City\nw = City\nCity.limit(3)');
  expect(review.dry_verdict).toBe('ok');
  expect(review.dry_review.unused_seeds).toEqual(['u', 'w']);
  expect(review.reasons).toEqual(['unused seed u, w: nothing uses what is named so']);
});

test.each([
  [
    'City{pop >= 300}',
    'pc0',
    [
      'plan review · 1n 1r → City · pc0',
      'warn: unbounded read: all pages of City are read; add .limit(n) or .page_size(n); project list reads: all fields of City are kept; choose some, such as [id]',
      'calls: 1 or more',
      '',
      '01 n1 query City, filter pop >= 300',
    ],
  ],
  [
    'x = City{name ~ "a b", country = [it, fr]}.limit(100)\ntop = x.sort(pop, desc, name).limit(3)[id, name]\nn = x.group_by(country, n=count, t=sum(pop))\nreturn top, n.page_size(5)',
    undefined,
    [
      'plan review · 3n 1r → top, n',
      'warn: narrow before aggregate or limit: group_by or aggregate needs all rows of the list before it gives any',
      'calls: 1 or more',
      '',
      '01 n1 query City, filter country = ["fr","it"] and name ~ "a b", limit 100',
      '02 n2 sort pop desc, name asc, limit 3, project id, name ← n1',
      '03 n3 group_by country → { n: count, t: sum(pop) }, page_size 5 ← n1',
    ],
  ],
  [
    'City("rome") => { n: _.name, t: _.tags.a }',
    undefined,
    ['plan ok · 1n 1r → City', 'calls: 1', '', '01 n1 get City, map _ => { n: _.name, t: _.tags.a }'],
  ],
  [
    'x = City("rome").districts.singleton()\nx.aggregate(count)',
    undefined,
    [
      'plan review · 4n 1r → x',
      'warn: relation fanout: City.districts would be a read for every row, and is not run yet',
      'calls: 1',
      '',
      '01 n1 get City',
      '02 n2 relation City.districts ← n1',
      '03 n3 singleton ← n2',
      '04 n4 aggregate → { count: count } ← n3',
    ],
  ],
  [
    'City("rome").delete()',
    undefined,
    [
      'plan review · 1n 0r 1w → City',
      'warn: delete: City("rome").delete() is not run yet',
      '',
      '01 n1 delete City("rome").delete()',
    ],
  ],
])('the dry run of %j', (text, handle, lines) => {
  expect(dryRunText(compiled(text), reviewed(text), handle).split('\n')).toEqual(lines);
});
