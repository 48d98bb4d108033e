import { isTerminal } from '../../plan/lifecycle.ts';
import { queryClient } from '../api/queries.ts';
import type { Heard } from '../live/heard.ts';
import { onHeard } from '../live/organisation.ts';
import { listQuery } from './list-query.ts';
import { allowsState, type ListSearch } from './search.ts';

/** Temporal's lists are behind by about a second; what is heard meanwhile is read with it. */
const SOON_MS = 1_200;
/** Once more, for a list that was behind by more. */
const LATER_MS = 5_500;

/** Reads a list again when something is heard that changes which rows it has, or their order; gives what ends that. */
export function followList(search: ListSearch): () => void {
  const { queryKey } = listQuery(search);
  const timers: Record<'soon' | 'later', ReturnType<typeof setTimeout> | undefined> = {
    soon: undefined,
    later: undefined,
  };
  /** Plans that were looked for in vain: they stand further down than the list has been read. */
  const elsewhere = new Set<string>();
  const looked = new Set<string>();

  const read = async (which: keyof typeof timers) => {
    await queryClient.refetchQueries({ queryKey, exact: true }, { cancelRefetch: false });
    if (which === 'soon') timers.soon = undefined;
    if (which === 'soon') return;
    for (const planId of looked) elsewhere.add(planId);
    looked.clear();
  };
  const schedule = () => {
    timers.soon ??= setTimeout(read, SOON_MS, 'soon');
    clearTimeout(timers.later);
    timers.later = setTimeout(read, LATER_MS, 'later');
  };
  const before = new Map<string, Heard>();
  const take = (planId: string, news: Heard) => {
    const list = queryClient.getQueryData(queryKey);
    const row = list?.rows.find(({ plan_id }) => plan_id === planId);
    const old = before.get(planId)?.state ?? row?.state;
    before.set(planId, news);
    const belongs = allowsState(search, news.state.status);
    if (!row) {
      // In a list of certain states a plan may come at any time; in another it is there, or further down.
      if (!belongs || (search.state === undefined && !search.attention && elsewhere.has(planId))) return;
      looked.add(planId);
      return schedule();
    }
    const moves = old !== undefined && isTerminal(old.status) !== isTerminal(news.state.status);
    if (moves || !belongs) schedule();
  };
  const unhear = onHeard(take);
  return () => {
    unhear();
    clearTimeout(timers.soon);
    clearTimeout(timers.later);
  };
}
