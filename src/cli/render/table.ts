import { stripVTControlCharacters } from 'node:util';

/** Rows as aligned columns, without borders, two spaces apart; colours in a cell take no room. Nothing is cut. */
export function renderTable(heads: string[], rows: string[][]): string[] {
  const all = [heads, ...rows];
  const widths = heads.map((_, column) => Math.max(...all.map((row) => width(row[column] ?? ''))));
  return all.map((row) =>
    heads
      .map((_, column) => pad(row[column] ?? '', widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}

export const pad = (cell: string, to: number): string => cell + ' '.repeat(Math.max(0, to - width(cell)));

const width = (cell: string): number => [...stripVTControlCharacters(cell)].length;
