import { QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';
import { isTerminal } from '../../plan/lifecycle.ts';
import { newest } from '../live/newest.ts';
import { call, Problem, planPath } from './client.ts';
import type { About, Me, Plan } from './types.ts';

const TRIES = 2;
/** What events have missed is seen by this: how long a task is silent, who has left the line. */
const LOOK_AGAIN_MS = 10_000;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error) {
      // Whoever is no longer signed in is asked to sign in at the page where they are.
      if (error instanceof Problem && error.status === 401) queryClient.setQueryData(SIGNED_OUT, true);
    },
  }),
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < TRIES && isPassing(error),
      staleTime: 2_000,
      refetchOnWindowFocus: true,
    },
  },
});

export const SIGNED_OUT = ['signed-out'];

/** Worth another try by itself. */
export const isPassing = (error: unknown): boolean =>
  error instanceof Problem && (error.status === 0 || error.status >= 500 || error.code === 'UNREACHABLE');

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => call<Me>('GET', 'api/me', { signal }),
  staleTime: 60_000,
});

export const aboutQuery = queryOptions({
  queryKey: ['about'],
  queryFn: ({ signal }) => call<About>('GET', 'api/about', { signal }),
  staleTime: Infinity,
});

export const planQuery = (planId: string) =>
  queryOptions({
    queryKey: ['plan', planId],
    queryFn: ({ signal }) => call<Plan>('GET', planPath(planId), { signal }),
    structuralSharing: (old, read) => newest(old as Plan | undefined, read as Plan),
    refetchInterval: ({ state: { data } }) => (data && isTerminal(data.state.status) ? false : LOOK_AGAIN_MS),
  });
