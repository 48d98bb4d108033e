import { queryOptions } from '@tanstack/react-query';
import { call, planPath } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import type { Budget, Limits } from '../api/types.ts';

/** What other plans of the organisation spend is seen by this. */
const LOOK_AGAIN_MS = 10_000;
const ALL_LIMITS = ['limits'];

/** What the organisation may spend, and has spent: today, and what of it is a chat's or a project's where they are named. */
export const limitsQuery = (of: { chatId?: string | undefined; projectId?: string | undefined } = {}) =>
  queryOptions({
    queryKey: [...ALL_LIMITS, of.chatId ?? null, of.projectId ?? null],
    queryFn: ({ signal }) => call<Limits>('GET', 'settings/limits', { query: of, signal }),
    refetchInterval: LOOK_AGAIN_MS,
  });

export const budgetQuery = (planId: string) =>
  queryOptions({
    queryKey: ['budget', planId],
    queryFn: ({ signal }) => call<Budget>('GET', planPath(planId, '/budget'), { signal }),
    refetchInterval: LOOK_AGAIN_MS,
  });

export const readLimitsAgain = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ALL_LIMITS });
