import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { COLUMN_WORDS, COLUMNS, type Column, type Sorting } from './columns.ts';

export function TableHead({ sorting, sort }: { sorting: Sorting | undefined; sort: (by: Column) => void }) {
  return (
    <thead>
      <tr>
        {COLUMNS.map((column) => (
          <Head key={column} column={column} sorting={sorting} sort={sort} />
        ))}
        <th scope="col">
          <span className="visually-hidden">Hold point</span>
        </th>
      </tr>
    </thead>
  );
}

function Head({ column, sorting, sort }: { column: Column; sorting: Sorting | undefined; sort: (by: Column) => void }) {
  const isBy = sorting?.by === column;
  const Icon = isBy ? (sorting.isDown ? ArrowDown : ArrowUp) : ArrowUpDown;
  return (
    <th
      scope="col"
      data-column={column}
      aria-sort={isBy ? (sorting.isDown ? 'descending' : 'ascending') : undefined}
      data-sorted={isBy || undefined}
    >
      <button type="button" className="sort" onClick={() => sort(column)}>
        {COLUMN_WORDS[column]}
        <Icon aria-hidden size={13} />
      </button>
    </th>
  );
}
