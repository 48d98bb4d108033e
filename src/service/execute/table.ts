import type { Row } from '../../activities/program/chunk.ts';
import type { Json } from '../../plan/json.ts';

/** What people and agents read at a glance; the rest is in the rows. */
const MOST_ROWS = 25;
const MOST_COLUMNS = 12;
const LONGEST_CELL = 80;

/** Names of all that rows have, in the order in which it comes. */
export const columnsOf = (rows: readonly Row[]): string[] => [...new Set(rows.flatMap((row) => Object.keys(row)))];

/** Rows as a table in Markdown, cut where it is long, and then it says so. What is in them is shown as it is, whatever it means to Markdown. */
export function markdownTable(rows: readonly Row[]): string {
  if (rows.length === 0) return '_no rows_';
  const columns = columnsOf(rows);
  const shown = columns.slice(0, MOST_COLUMNS);
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const table = [
    line(shown.map(plainText)),
    line(shown.map(() => '---')),
    ...rows
      .slice(0, MOST_ROWS)
      .map((row) => line(shown.map((column) => cell(Object.hasOwn(row, column) ? row[column] : null)))),
  ].join('\n');
  const cut = [
    ...(rows.length > MOST_ROWS ? [`the first ${MOST_ROWS} of these ${rows.length} rows`] : []),
    ...(columns.length > MOST_COLUMNS ? [`${MOST_COLUMNS} of ${columns.length} columns`] : []),
  ];
  return cut.length > 0 ? `${table}\n\n_Shown: ${cut.join(', ')}; an answer in JSON has all._` : table;
}

function cell(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return plainText(typeof value === 'string' ? value : JSON.stringify(value));
}

/** One line in which nothing is markup: no column ends, no code begins, no link, image or tag is made. */
export function plainText(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, ' ').trim();
  const characters = [...line];
  const cut = characters.length > LONGEST_CELL ? `${characters.slice(0, LONGEST_CELL - 1).join('')}…` : line;
  return cut.replace(
    /[\\|`*[\]<>~&!]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu,
    (character) => ESCAPED[character] ?? `\\${character}`,
  );
}

/** A backslash in front of these is not enough everywhere. */
const ESCAPED: Record<string, string> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' };
