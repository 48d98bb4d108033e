import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { Problem } from '../api/client.ts';
import { meQuery } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { BulkBar } from './bulk/bulk-bar.tsx';
import { NoMatch, NoPlans } from './empty.tsx';
import { Filters } from './filters.tsx';
import { followList } from './follow-list.ts';
import { FoundPlan } from './found-plan.tsx';
import { listQuery, readMore } from './list-query.ts';
import type { List } from './merge.ts';
import { PlanRows } from './plan-rows.tsx';
import { isFiltered, planIdIn } from './search.ts';
import { useSelection } from './selection.ts';
import './list.css';

const route = getRouteApi('/');
const NONE: List = { rows: [], next_cursor: null };

/** All plans of the organisation, as they stand. */
export function ListPage() {
  const search = route.useSearch();
  const { data: me } = useQuery(meQuery);
  const { data, error, isPlaceholderData, refetch } = useQuery(listQuery(search));
  const { rows, next_cursor } = data ?? NONE;
  const selection = useSelection(rows);
  useEffect(() => followList(search), [search]);
  useEffect(() => {
    document.title = 'Plans – Holdpoint';
  }, []);
  const more = useMutation({ mutationFn: () => readMore(search) });
  const { mutate, isPending, isError } = more;
  const onNearEnd = useCallback(() => {
    if (!isPending && !isError && !isPlaceholderData) mutate();
  }, [mutate, isPending, isError, isPlaceholderData]);
  const hasMore = next_cursor !== null;
  const planId = planIdIn(search.name ?? '');
  const isNothing = data !== undefined && rows.length === 0;
  return (
    <>
      <h1>Plans</h1>
      {(!isNothing || isFiltered(search)) && <Filters />}
      {planId !== undefined && <FoundPlan planId={planId} />}
      <p role="status" className="visually-hidden">
        {data && !isPlaceholderData && countWords(rows.length, hasMore)}
      </p>
      {error && (!data || !isLost(error)) && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <p className="muted">Reading the plans …</p>}
      {isNothing &&
        !isPlaceholderData &&
        (planId !== undefined ? null : isFiltered(search) ? <NoMatch /> : <NoPlans />)}
      {rows.length > 0 && (
        <div className="plan-list" aria-busy={isPlaceholderData}>
          <BulkBar selection={selection} count={countWords(rows.length, hasMore)} rows={rows} search={search} />
          <PlanRows
            rows={rows}
            hasMore={hasMore}
            onNearEnd={onNearEnd}
            selection={selection}
            search={search}
            me={me?.id}
          />
          {isPending && <p className="plan-list-end muted">Reading more plans …</p>}
          {isError && (
            <div className="plan-list-end" role="alert">
              The next plans could not be read: {more.error.message} <Button onClick={() => mutate()}>Try again</Button>
            </div>
          )}
        </div>
      )}
    </>
  );
}

/** The banner tells of it; what was known stays. */
const isLost = (error: unknown): boolean => error instanceof Problem && error.status === 0;

function countWords(count: number, hasMore: boolean): string {
  if (hasMore) return `${count}+ plans`;
  return count === 1 ? '1 plan' : `${count} plans`;
}
