import { PLAN_STATUSES, type PlanStatus } from '../../plan/lifecycle.ts';

/** What the list's address says: its filters, as the API has them. */
export interface ListSearch {
  state?: PlanStatus[];
  name?: string;
  mine?: true;
  attention?: true;
}

/** Reads them; what is no filter is left out. */
export function listSearch(search: Record<string, unknown>): ListSearch {
  const states = Array.isArray(search.state) ? search.state : [search.state];
  const state = PLAN_STATUSES.filter((status) => states.includes(status));
  const name = typeof search.name === 'string' || typeof search.name === 'number' ? String(search.name) : '';
  return {
    ...(state.length > 0 && { state }),
    ...(name !== '' && { name }),
    ...(search.mine === true && { mine: true }),
    ...(search.attention === true && { attention: true }),
  };
}
