import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Plan } from '../api/types.ts';
import { lastSeq, type Story, storyQuery } from './story.ts';

/**
 * A plan's story, kept up to date by its events. One that came while the story was being read, or before anybody wanted it, is
 * found by the plan's own number, and read.
 */
export function useStory({ plan_id, seq }: Plan): UseQueryResult<Story> {
  const query = useQuery(storyQuery(plan_id));
  const { refetch, isFetching } = query;
  const last = query.data && lastSeq(query.data);
  // By these values once each: a story that stays behind, for nobody can tell more of it, is not asked for without end.
  useEffect(() => {
    if (last !== undefined && last < seq && !isFetching) void refetch();
  }, [last, seq, isFetching, refetch]);
  return query;
}
