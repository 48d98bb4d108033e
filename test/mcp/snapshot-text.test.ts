import { expect, test } from 'vitest';
import { snapshotText } from '../../src/mcp/snapshot-text.ts';
import { addressOf, rowsUri } from '../../src/mcp/uris.ts';
import type { Snapshot } from '../../src/service/execute/snapshot.ts';

const snapshot = (rows: Snapshot['rows'], more: Partial<Snapshot> = {}): Snapshot => ({
  plan_id: 'p1',
  phase: 'succeeded',
  label: 'City',
  results: [{ label: 'City', rows: 3 }],
  columns: ['name'],
  offset: 0,
  kept: rows.length,
  next_offset: null,
  rows,
  ...more,
});
const cities = ['rome', 'oslo', 'bern'].map((name) => ({ name }));
const read = (...args: Parameters<typeof snapshotText>) => JSON.parse(snapshotText(...args));

test('what there is room for is read at once', () => {
  const told = read(snapshot(cities), undefined, 1_000);
  expect(told).toMatchObject({ rows: cities, next: null, note: 'rows 1 to 3 of 3' });
});

test('what there is no room for is read on where it says; one row always comes', () => {
  const told = read(snapshot(cities), undefined, 40);
  expect(told).toMatchObject({ rows: cities.slice(0, 2), next: 'holdpoint://operations/p1/rows?offset=2' });
  expect(told.note).toBe('rows 1 to 2 of 3; read on at holdpoint://operations/p1/rows?offset=2');
  const other = read(snapshot(cities.slice(2), { offset: 2, kept: 3 }), 'City', 1);
  expect(other).toMatchObject({ rows: [{ name: 'bern' }], next: null });
});

test('of one that runs it says that more may come', () => {
  const told = read(snapshot([], { phase: 'running' }), undefined, 40);
  expect(told).toMatchObject({ note: 'rows none of 0; more may come: it runs' });
});

test.each([
  [{}, 'holdpoint://operations/p1/rows'],
  [{ offset: 7 }, 'holdpoint://operations/p1/rows?offset=7'],
  [{ offset: 7, of: 'big & small' }, 'holdpoint://operations/p1/rows?offset=7&of=big+%26+small'],
])('%j is %s, and is understood', (asked, uri) => {
  expect(rowsUri('p1', asked)).toBe(uri);
  expect(addressOf(uri)).toEqual({ what: 'rows', plan_id: 'p1', offset: 0, of: undefined, ...asked });
});

test.each(['?offset=1#a', '/more'])('rows%s is no address', (rest) => {
  expect(addressOf(`holdpoint://operations/p1/rows${rest}`)).toBe(undefined);
});

test.each([
  ['?offset=-1', 'offset: is "-1"; give a whole number from 0 on'],
  ['?offset=x', 'offset: is "x"; give a whole number from 0 on'],
  ['?limit=3', 'unknown word "limit"; known here: offset, of'],
])('rows%s is refused with what is wrong', (rest, said) => {
  expect(() => addressOf(`holdpoint://operations/p1/rows${rest}`)).toThrow(said);
});
