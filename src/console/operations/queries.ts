import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import type {
  CatalogListed,
  CatalogTeaching,
  Operation,
  OperationList,
  OperationRows,
  SessionListed,
} from '../api/types.ts';
import { operationPath, type SessionPlace, sessionPath, surfaceIn } from './places.ts';

/** What streams have missed, or do not tell: others' operations, rows between two lines. */
const RUNNING_MS = 2_000;
const QUIET_MS = 10_000;
export const PAGE_ROWS = 100;

export type OperationView = OperationList['operations'][number];

export const catalogsQuery = queryOptions({
  queryKey: ['catalogs'],
  queryFn: async ({ signal }) => (await call<{ catalogs: CatalogListed[] }>('GET', 'catalogs', { signal })).catalogs,
  refetchInterval: QUIET_MS,
});

export const catalogQuery = (hash: string) =>
  queryOptions({
    queryKey: ['catalog', hash],
    queryFn: ({ signal }) => call<CatalogTeaching>('GET', `catalogs/${encodeURIComponent(hash)}`, { signal }),
    // A catalog never changes: it would be another one.
    staleTime: Infinity,
  });

export const sessionsQuery = queryOptions({
  queryKey: ['program-sessions'],
  queryFn: async ({ signal }) => (await call<{ sessions: SessionListed[] }>('GET', 'execute', { signal })).sessions,
  refetchInterval: QUIET_MS,
});

const keyOf = ({ hash, session, surface }: SessionPlace) => ['operations', hash, surface, session];

export const operationsQuery = (place: SessionPlace, before: number | undefined) =>
  queryOptions({
    queryKey: [...keyOf(place), 'list', before],
    queryFn: ({ signal }) =>
      call<OperationList>('GET', sessionPath(place, '/operations'), {
        query: { before, ...surfaceIn(place) },
        signal,
      }),
    refetchInterval: ({ state: { data } }) => (data?.operations.some(isRunning) ? RUNNING_MS : QUIET_MS),
    placeholderData: keepPreviousData,
  });

export const operationQuery = (place: SessionPlace, handle: string) =>
  queryOptions({
    queryKey: [...keyOf(place), handle],
    queryFn: ({ signal }) => call<Operation>('GET', operationPath(place, handle), { query: surfaceIn(place), signal }),
    refetchInterval: ({ state: { data } }) => (data && isRunning(data) ? RUNNING_MS : false),
  });

export const rowsQuery = (place: SessionPlace, { handle, phase }: Operation, asked: { of?: string; offset: number }) =>
  queryOptions({
    // Of what has ended they do not change any more; until then they are others.
    queryKey: [...keyOf(place), handle, 'rows', phase, asked],
    queryFn: ({ signal }) =>
      call<OperationRows>('GET', operationPath(place, handle, '/rows'), {
        query: { ...asked, limit: PAGE_ROWS, ...surfaceIn(place) },
        signal,
      }),
    refetchInterval: phase === 'running' ? RUNNING_MS : false,
    staleTime: phase === 'running' ? 0 : Infinity,
    placeholderData: keepPreviousData,
  });

export const isRunning = ({ phase }: Pick<Operation, 'phase'>): boolean => phase === 'running';

/** After something was done in a session, or one of its operations has ended. */
export const readOperationsAgain = (place: SessionPlace): Promise<unknown> =>
  Promise.all([
    queryClient.refetchQueries({ queryKey: keyOf(place), type: 'active' }, { cancelRefetch: true }),
    queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  ]);
