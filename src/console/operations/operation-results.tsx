import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { addressOf } from '../api/client.ts';
import type { Operation } from '../api/types.ts';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { plainText } from '../ui/plain-text.ts';
import { inRows } from './looks.ts';
import { Pager } from './pager.tsx';
import { operationPath, type SessionPlace, surfaceIn } from './places.ts';
import { PAGE_ROWS, rowsQuery } from './queries.ts';
import { RowsTable } from './rows-table.tsx';

const route = getRouteApi('/programs/$hash/$session/$handle');

const HEADINGS: Record<Operation['phase'], string> = {
  running: 'Rows so far',
  succeeded: 'Result',
  cancelled: 'Rows kept before it was cancelled',
  failed: 'Rows kept before it failed',
};
/** As many as one answer of the API has. */
const MOST_DOWNLOADED = 1_000;

/** What an operation has read: its results, also while it runs and when it did not come to its end. */
export function Results({ place, operation }: { place: SessionPlace; operation: Operation }) {
  const { handle, phase, results } = operation;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [first] = results;
  const chosen = results.find(({ label }) => label === search.of) ?? first;
  const offset = search.offset ?? 0;
  const of = chosen?.label;
  const { data, error, refetch, isPlaceholderData } = useQuery(
    rowsQuery(place, operation, { ...(of !== undefined && { of }), offset }),
  );
  const show = (of: string, offset: number) =>
    void navigate({ search: (old) => ({ ...old, of, offset: offset > 0 ? offset : undefined }), replace: true });
  const kept = data?.kept ?? chosen?.rows ?? 0;
  const json = addressOf(operationPath(place, handle, '/rows'), {
    ...{ of, offset, limit: MOST_DOWNLOADED },
    ...surfaceIn(place),
  });
  return (
    <section className="results stack" aria-labelledby="results">
      <div className="results-head">
        <h2 id="results">{HEADINGS[phase]}</h2>
        <span className="muted">{inRows(kept)}</span>
        {kept > 0 && (
          <a href={json} download={`${handle}-rows.json`} className="results-download">
            <Download aria-hidden size={14} />{' '}
            {kept > MOST_DOWNLOADED ? `JSON of ${MOST_DOWNLOADED.toLocaleString('en')} rows from here` : 'JSON'}
          </a>
        )}
      </div>
      {results.length > 1 && (
        <nav className="row" aria-label="Results">
          {results.map(({ label, rows }, i) => (
            <Button key={`${i} ${label}`} aria-pressed={label === of} onClick={() => show(label, 0)}>
              {plainText(label)} <span className="muted">{rows.toLocaleString('en')}</span>
            </Button>
          ))}
        </nav>
      )}
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <p className="muted">Reading the rows …</p>}
      {data && kept === 0 && <p className="muted">{phase === 'running' ? 'None yet.' : 'None.'}</p>}
      {data && kept > 0 && (
        <>
          <RowsTable
            name={data.label}
            columns={data.columns}
            rows={data.rows}
            offset={data.offset}
            busy={isPlaceholderData}
          />
          <Pager
            offset={data.offset}
            count={data.rows.length}
            kept={kept}
            page={PAGE_ROWS}
            go={(to) => show(data.label, to)}
          />
        </>
      )}
    </section>
  );
}
