import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import type { PlanList } from '../api/types.ts';
import { effectiveState } from '../live/organisation.ts';
import { extended, type List, merged, type Row } from './merge.ts';
import { allowsState, type ListSearch, queryOf } from './search.ts';

/** Rows of a page; the most that the API gives at once is for reading all again. */
const PAGE = 100;
const MOST = 500;
/** A list of so many rows is read again whole; of a longer one the beginning. */
const SHORT = 300;
/** What no news told is seen by this. */
const LOOK_AGAIN_MS = 30_000;

const keyOf = (search: ListSearch) => ['plans', search] as const;

/**
 * A list as far as it was read: reading it again, by whatever, reads its beginning and puts that into what is there. (An infinite
 * query would read all its pages again, one after another, for every new plan.)
 */
export const listQuery = (search: ListSearch) =>
  queryOptions({
    queryKey: keyOf(search),
    queryFn: async ({ signal }): Promise<List> => {
      const length = known(search)?.rows.length ?? 0;
      const fresh = await readRows(search, length <= SHORT ? length : 1, PAGE, signal);
      return merged(known(search), fresh, {
        belongs: belongsTo(search),
        byState: search.state !== undefined || search.attention === true,
      });
    },
    refetchInterval: LOOK_AGAIN_MS,
    placeholderData: keepPreviousData,
  });

const known = (search: ListSearch): List | undefined => queryClient.getQueryData<List>(keyOf(search));

const belongsTo = (search: ListSearch) => (row: Row) =>
  allowsState(search, effectiveState(row.plan_id, row.state, row.read_at).status);

/** Reads the next page and puts it at the end. */
export async function readMore(search: ListSearch): Promise<void> {
  const cursor = known(search)?.next_cursor;
  if (!cursor) return;
  const page = await readRows(search, 1, PAGE, undefined, cursor);
  queryClient.setQueryData<List>(keyOf(search), (list) => list && extended(list, page));
}

/** Reads all rows again that are there: each comes to its place. */
export async function readAllAgain(search: ListSearch): Promise<void> {
  const length = known(search)?.rows.length ?? 0;
  const fresh = await readRows(search, length, Math.min(MOST, Math.max(PAGE, length)));
  const belongs = belongsTo(search);
  queryClient.setQueryData<List>(keyOf(search), { ...fresh, rows: fresh.rows.filter(belongs) });
}

/** Reads pages until there are so many rows, or all. A page may be empty although there are more. */
async function readRows(
  search: ListSearch,
  atLeast: number,
  limit: number,
  signal?: AbortSignal,
  from?: string,
): Promise<List> {
  let list: List = { rows: [], next_cursor: from ?? null };
  do {
    const read_at = Date.now();
    const query = { ...queryOf(search), limit, cursor: list.next_cursor ?? undefined };
    const { plans, next_cursor } = await call<PlanList>('GET', 'api/plans', { query, signal });
    list = extended(list, { rows: plans.map((plan) => ({ ...plan, read_at })), next_cursor });
  } while (list.next_cursor !== null && list.rows.length < Math.max(1, atLeast));
  return list;
}
