import pc from 'picocolors';
import { expect, test } from 'vitest';
import { renderTable } from '../../../src/cli/render/table.ts';

test('columns are as wide as their widest cell, and no line ends in blanks', () => {
  expect(
    renderTable(
      ['A', 'LONG HEAD', 'C'],
      [
        ['wide cell', 'x', ''],
        ['y', '', 'z'],
      ],
    ),
  ).toEqual(['A          LONG HEAD  C', 'wide cell  x', 'y                     z']);
});

test('colours take no room', () => {
  const { red } = pc.createColors(true);
  expect(
    renderTable(
      ['A', 'B'],
      [
        [red('ab'), 'x'],
        ['abc', 'y'],
      ],
    ),
  ).toEqual(['A    B', `${red('ab')}   x`, 'abc  y']);
});
