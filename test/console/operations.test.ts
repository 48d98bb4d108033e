import { expect, test } from 'vitest';
import { cellText, rowText } from '../../src/console/operations/cell.ts';
import { kindOf, kindOfLine, rowsInLine } from '../../src/console/operations/looks.ts';
import { operationSearch, sessionSearch } from '../../src/console/operations/places.ts';
import { type LineParts, opOf, wireLine } from '../../src/plan/wire-line.ts';

test('every kind of line is known again, by its text and by what machines read', () => {
  const all: LineParts[] = [
    { is: 'accepted', commit_ref: 'pc0', review: true },
    { is: 'running', step: 3, total: 8, label: '! x ?', rows: 120 },
    { is: 'unchanged', step: 3, total: 8 },
    { is: 'succeeded', rows: 3 },
    { is: 'cancelled' },
    { is: 'failed', message: '`s0_o1` ! 3r' },
  ];
  for (const parts of all) {
    expect(kindOfLine(wireLine('s0_o1', parts))).toBe(parts.is);
    expect(kindOf(opOf(2, parts))).toBe(parts.is);
    expect(rowsInLine(wireLine('s0_o1', parts))).toBe(opOf(2, parts).r);
  }
});

test('a cell is text without what steers, and not longer than anybody reads', () => {
  expect(cellText('\u001b[31mred\u001b[0m <b>')).toBe('red <b>');
  expect(cellText({ a: [1, null] })).toBe('{"a":[1,null]}');
  expect(cellText(undefined)).toBe('');
  const cut = cellText(`${'a'.repeat(299)}😀`);
  expect(cut).toBe(`${'a'.repeat(299)}…`);
  expect(rowText({ a: 'b'.repeat(300_000) }).length).toBeLessThan(201_000);
});

test('an address says which result, from which row on; what is no number of a row is none', () => {
  expect(operationSearch({ of: 12, offset: 100, surface: 'mcp', more: 1 })).toEqual({
    ...{ of: '12', offset: 100, surface: 'mcp' },
  });
  expect(operationSearch({ offset: -1, surface: 'x' })).toEqual({});
  expect(operationSearch({ offset: 1.5, of: {} })).toEqual({});
  expect(sessionSearch({ before: 51 })).toEqual({ before: 51 });
  expect(sessionSearch({ before: '51' })).toEqual({});
});
