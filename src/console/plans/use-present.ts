import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isTerminal } from '../../plan/lifecycle.ts';
import { planQuery } from '../api/queries.ts';
import type { Plan, PlanState, PlanTag } from '../api/types.ts';
import { onHeard, useHeard } from '../live/organisation.ts';
import type { Row } from './merge.ts';
import { present } from './present.ts';

/** How often a plan is read whose row is seen: one at work moves on between its changes of state. */
const AT_WORK_MS = 5_000;
const AT_REST_MS = 20_000;
/** Plans of thousands of tasks are long answers. */
const paceMs = ({ state, tasks_total, pausing, stopping }: Plan): number =>
  (state.status === 'executing' || pausing || stopping ? AT_WORK_MS : AT_REST_MS) + 5 * tasks_total;

export interface Present {
  state: PlanTag | PlanState;
  /** The whole plan, where it is known as of now. */
  plan: Plan | undefined;
}

/**
 * How the plan of a row stands: by what was heard, by the list, and by the plan itself, which is read while it is `watched` and
 * goes on, once when it has failed, and whenever something is heard of it.
 */
export function usePresent(row: Row, watched: boolean): Present {
  const { plan_id } = row;
  const heard = useHeard(plan_id);
  const { data, dataUpdatedAt, refetch } = useQuery({
    ...planQuery(plan_id),
    enabled: ({ state: { data, dataUpdatedAt } }) => {
      const { status } = present(row, heard, data, dataUpdatedAt).state;
      // Why a plan failed is read once.
      return watched && (!isTerminal(status) || (status === 'failed' && data?.state.status !== 'failed'));
    },
    refetchInterval: ({ state: { data } }) => (data ? paceMs(data) : AT_WORK_MS),
  });
  useEffect(() => {
    if (!watched) return;
    return onHeard((id) => void (id === plan_id && refetch({ cancelRefetch: false })));
  }, [plan_id, watched, refetch]);
  const { state, isRead } = present(row, heard, data, dataUpdatedAt);
  // A failure stays what it was, however new the list is: of another that follows on it something is heard.
  const isFailure = state.status === 'failed' && data?.state.status === 'failed';
  return { state, plan: isRead || isFailure ? data : undefined };
}
