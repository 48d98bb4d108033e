import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../../api/queries.ts';
import type { Plan } from '../../api/types.ts';
import type { About } from './refusal.ts';
import { useUnderway } from './underway.ts';

/** All by which is told what may be done about a plan now. */
export function useAbout(plan: Plan): About {
  const { data: me } = useQuery(meQuery);
  return { plan, me, underway: useUnderway(plan.plan_id) };
}
