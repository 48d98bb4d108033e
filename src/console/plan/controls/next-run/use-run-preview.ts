import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call, type Problem, planPath } from '../../../api/client.ts';
import type { Plan, RunPreview } from '../../../api/types.ts';

/** What a next run is asked for with, as the API takes it. */
export interface RunRequest {
  mode: 'resume' | 'retry';
  from?: string;
  inputs?: Record<string, unknown>;
  plan?: string;
}

const SETTLED_MS = 350;

/** The value once it has not changed for a moment. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

export interface PreviewState {
  preview: RunPreview | undefined;
  problem: Problem | Error | undefined;
  /** What is shown is of an earlier request. */
  isOld: boolean;
}

/** What a next run would do, by the API itself; undefined while there is nothing to ask. */
export function useRunPreview({ plan_id, run }: Plan, request: RunRequest | undefined): PreviewState {
  const wanted = request && JSON.stringify({ ...request, dry_run: true });
  const asked = useSettled(wanted);
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['next-run', plan_id, run, asked],
    queryFn: ({ signal }) => call<RunPreview>('POST', planPath(plan_id, '/runs'), { body: JSON.parse(asked!), signal }),
    enabled: asked !== undefined,
    placeholderData: keepPreviousData,
    // Files and other callers change what it says: it is asked anew whenever a dialog is opened.
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  const isOld = wanted !== asked || isFetching || isPlaceholderData;
  return { preview: error ? undefined : data, problem: error ?? undefined, isOld };
}
