import { useQuery } from '@tanstack/react-query';
import { LIMIT_FIELD } from '../../plan/limit-fields.ts';
import type { Plan } from '../api/types.ts';
import { budgetQuery, limitsQuery } from './queries.ts';

/** The limit that holds a plan, with its numbers. */
export type LimitReached = NonNullable<NonNullable<Plan['hold']>['details']>;

/** The limit that holds a plan just now; undefined when something else does, or nothing. */
export const limitOf = ({ hold }: Pick<Plan, 'hold'>): LimitReached | undefined =>
  hold?.reason === 'cost_limit' ? hold.details : undefined;

/** Whether the limit has been adjusted since it was reached, by whomever: only then resuming is worth a try. */
export function useAdjusted(planId: string, reached: LimitReached | undefined): boolean {
  const isBudget = reached?.limit === 'plan';
  const limits = useQuery({
    ...limitsQuery({ chatId: reached?.chat, projectId: reached?.project }),
    enabled: reached !== undefined && !isBudget,
  });
  const budget = useQuery({ ...budgetQuery(planId), enabled: isBudget });
  if (!reached || reached.max === undefined) return false;
  if (isBudget) return budget.data !== undefined && isMore(budget.data.budget[unitField(reached)], reached.max);
  const field = LIMIT_FIELD[reached.limit];
  return limits.data !== undefined && field !== undefined && isMore(limits.data.limits[field], reached.max);
}

const unitField = ({ unit }: LimitReached) => (unit === 'cost' ? 'max_cost' : 'max_tokens');
const isMore = (now: number | null, then: number): boolean => now === null || now > then;
