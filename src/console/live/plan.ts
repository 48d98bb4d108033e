import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { EVENT_TYPES } from '../../plan/events.ts';
import { isTerminal } from '../../plan/lifecycle.ts';
import { addressOf, planPath } from '../api/client.ts';
import { planQuery, queryClient } from '../api/queries.ts';
import type { Plan, Event as PlanEvent } from '../api/types.ts';
import { applied } from './applied.ts';
import { tellConnection } from './connection.ts';
import { onHeard } from './organisation.ts';
import { refresher } from './refresher.ts';
import { told } from './story.ts';
import { whileVisible } from './visible.ts';

/** A plan that is read whole after an event is not read again sooner than this, the longer the more tasks it has. */
const paceMs = ({ tasks_total }: Plan): number => Math.min(2_000, 150 + tasks_total);
const AGAIN_MS = 2_000;

/** A plan as it is now, kept so by its events for as long as the component is there. */
export function usePlan(planId: string): UseQueryResult<Plan> {
  const query = useQuery(planQuery(planId));
  // A next run is a new story to follow; one that has ended has none.
  const run = query.data?.run;
  const goesOn = query.data !== undefined && !isTerminal(query.data.state.status);
  useEffect(() => {
    if (run === undefined) return;
    const refresh = refresherOf(planId);
    const unhear = onHeard((id, { seq }) => {
      if (id === planId && seq > (present(planId)?.seq ?? 0)) refresh.soon();
    });
    // The event of its end tells the state alone: the rest is read once more.
    if (!goesOn) refresh.soon();
    const unfollow = goesOn ? whileVisible(() => followEvents(planId, refresh.soon)) : () => {};
    return () => {
      unhear();
      unfollow();
      refresh.end();
    };
  }, [planId, run, goesOn]);
  return query;
}

const present = (planId: string): Plan | undefined => queryClient.getQueryData(planQuery(planId).queryKey);

function refresherOf(planId: string) {
  const { queryKey } = planQuery(planId);
  let read_at = 0;
  const read = async () => {
    read_at = Date.now();
    // Not the answer to a question that was asked before the event.
    await queryClient.refetchQueries({ queryKey, exact: true }, { cancelRefetch: true });
  };
  return refresher(read, () => {
    const plan = present(planId);
    return Math.max(30, read_at + (plan ? paceMs(plan) : 0) - Date.now());
  });
}

/** Applies the events of a plan as they come; gives what ends that. */
function followEvents(planId: string, refresh: () => void): () => void {
  const name = `plan ${planId}`;
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    const after = present(planId)?.seq ?? 0;
    source = new EventSource(addressOf(planPath(planId, '/events'), { after }));
    source.onopen = () => tellConnection(name, 'connected');
    source.onerror = () => {
      if (source?.readyState !== EventSource.CLOSED) return tellConnection(name, 'lost');
      // All has been told, or the server refused: the plan says which, when it is read.
      refresh();
      timer = setTimeout(open, AGAIN_MS);
    };
    for (const type of EVENT_TYPES)
      source.addEventListener(type, ({ data }: MessageEvent<string>) => take(JSON.parse(data)));
    for (const type of ['snapshot', 'resync']) source.addEventListener(type, startAnew);
    source.addEventListener('last_known', refresh);
  };
  const take = (event: PlanEvent) => {
    told(planId, event);
    queryClient.setQueryData<Plan>(planQuery(planId).queryKey, (plan) => plan && applied(plan, event));
    refresh();
  };
  /** What was built from events is not what is there any more. */
  const startAnew = () => {
    void queryClient.resetQueries({ queryKey: planQuery(planId).queryKey });
    void queryClient.resetQueries({ queryKey: ['story', planId] });
  };
  open();
  return () => {
    clearTimeout(timer);
    source?.close();
    tellConnection(name, 'gone');
  };
}
