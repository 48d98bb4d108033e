import { memo, useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { cellText, isNumber, rowText } from './cell.ts';
import { Scrolling, TextBlock } from './scrolling.tsx';

type Row = Record<string, unknown>;

interface RowsTableProps {
  /** Of the result. */
  name: string;
  columns: readonly string[];
  rows: readonly Row[];
  /** Of the first of them among all that are kept. */
  offset: number;
  /** Others are on their way. */
  busy?: boolean;
}

/** A source may give what it likes; the rest of the columns is in each row's dialog. */
const MOST_COLUMNS = 40;

/** Rows as a table; what is in them is text, whatever it says. */
export const RowsTable = memo(function RowsTable({ name, columns, rows, offset, busy }: RowsTableProps) {
  const [looked, look] = useState<{ n: number; row: Row }>();
  const shown = columns.slice(0, MOST_COLUMNS);
  return (
    <>
      <Scrolling className="rows" label={`Rows of ${name}`} busy={busy}>
        <table>
          <thead>
            <tr>
              <th scope="col" className="rows-number">
                <abbr title="Number of the row">#</abbr>
              </th>
              {shown.map((column) => (
                <th key={column} scope="col" data-number={rows.some((row) => isNumber(row[column])) || undefined}>
                  <bdi>{cellText(column)}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, i) => {
              const n = offset + i + 1;
              return (
                <tr key={n}>
                  <td className="rows-number">
                    <button type="button" aria-label={`Row ${n}, whole`} onClick={() => look({ n, row })}>
                      {n}
                    </button>
                  </td>
                  {shown.map((column) => (
                    <td key={column} data-number={isNumber(row[column]) || undefined}>
                      <Cell value={row[column]} />
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scrolling>
      {columns.length > MOST_COLUMNS && (
        <p className="hint">
          The first {MOST_COLUMNS} of {columns.length} columns; the number of a row shows all of it.
        </p>
      )}
      <Dialog open={looked !== undefined} onClose={() => look(undefined)} title={`Row ${looked?.n ?? ''}`} wide>
        {looked && <TextBlock className="row-whole" label="The row as JSON" text={rowText(looked.row)} />}
      </Dialog>
    </>
  );
});

function Cell({ value }: { value: unknown }) {
  if (value === null) return <span className="muted">null</span>;
  return <bdi className="cell">{cellText(value)}</bdi>;
}
