import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';

/** A row that is at most so many columns wide; wide characters take two, colours none. */
export const fit = (row: string, columns: number): string =>
  columns <= 0 ? '' : stringWidth(row) <= columns ? row : cliTruncate(row, columns);

/** A cell that is exactly so many columns wide. */
export function cell(text: string, columns: number): string {
  const fitted = fit(text, columns);
  return fitted + ' '.repeat(Math.max(0, columns - stringWidth(fitted)));
}

export const columnsOf = stringWidth;

/** Rows by which a text is read whole, broken between words where it can be; at most `most` of them. */
export function wrapped(text: string, columns: number, most: number): string[] {
  const rows: string[] = [];
  let row = '';
  for (const word of text.split(' ')) {
    const longer = row === '' ? word : `${row} ${word}`;
    if (row !== '' && stringWidth(longer) > columns) {
      rows.push(row);
      row = word;
    } else row = longer;
  }
  rows.push(row);
  const shown = rows.slice(0, most);
  if (rows.length > most) shown[most - 1] = `${shown[most - 1]} …`;
  return shown.map((line) => fit(line, columns));
}
