import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { Failure } from '../ui/failure.tsx';
import { OperationRow } from './operation-row.tsx';
import { type SessionPlace, sessionLink } from './places.ts';
import { isRunning, operationsQuery } from './queries.ts';

const route = getRouteApi('/programs/$hash/$session');

/** Browsers have few connections to a server: the newest that run are followed, all others are read again and again. */
const MOST_FOLLOWED = 3;

/** The operations of a session, newest first. */
export function OperationsOf({ place }: { place: SessionPlace }) {
  const { before } = route.useSearch();
  const { data, error, refetch } = useQuery(operationsQuery(place, before));
  const [ended, setEnded] = useState('');
  const tell = useCallback((words: string) => setEnded(words), []);
  const { to, params, search } = sessionLink(place);
  const followed = new Set(data?.operations.filter(isRunning).slice(0, MOST_FOLLOWED));
  return (
    <section aria-labelledby="operations" className="stack">
      <h2 id="operations">Operations</h2>
      <p className="visually-hidden" role="status">
        {ended}
      </p>
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <p className="muted">Reading the operations …</p>}
      {data?.operations.length === 0 && (
        <p className="muted">
          {before === undefined ? 'Nothing has been run in the background here.' : 'There are none before these.'}
        </p>
      )}
      {data && data.operations.length > 0 && (
        <ol className="operations card" aria-label="Operations, newest first">
          {data.operations.map((operation) => (
            <OperationRow
              key={operation.handle}
              place={place}
              operation={operation}
              watched={followed.has(operation)}
              tell={tell}
            />
          ))}
        </ol>
      )}
      <div className="row">
        {before !== undefined && (
          <Link to={to} params={params} search={search} className="button">
            Newest
          </Link>
        )}
        {data && data.next_before !== null && (
          <Link to={to} params={params} search={{ ...search, before: data.next_before }} className="button">
            Older
          </Link>
        )}
      </div>
    </section>
  );
}
