import { useQuery } from '@tanstack/react-query';
import { LIMIT_FIELD } from '../../plan/limit-fields.ts';
import type { Plan } from '../api/types.ts';
import { budgetFields, type LimitField, leastFor, limitFields } from './limit-fields.ts';
import { budgetQuery, limitsQuery } from './queries.ts';

/** The limit that holds a plan, with its numbers. */
export type LimitReached = NonNullable<NonNullable<Plan['hold']>['details']>;

/** The limit that holds a plan just now; undefined when something else does, or nothing. */
export const limitOf = ({ hold }: Pick<Plan, 'hold'>): LimitReached | undefined =>
  hold?.reason === 'cost_limit' ? hold.details : undefined;

/** The name of the field that was reached. */
export const fieldOf = ({ limit, unit }: LimitReached) =>
  limit === 'plan' ? (unit === 'cost' ? 'max_cost' : 'max_tokens') : LIMIT_FIELD[limit];

/** Whether a limit lets the call pass that it has refused: the API would not let the plan go on otherwise. */
export function isEnough(field: LimitField, { needed, max }: LimitReached): boolean {
  if (field.max === null) return true;
  const least = leastFor(field, needed);
  return least === undefined ? max !== undefined && field.max > max : field.max >= least;
}

/** Whether there is room now under the limit that was reached, by whomever it was raised: only then resuming is worth a try. */
export function useAdjusted(planId: string, reached: LimitReached | undefined): boolean {
  const isBudget = reached?.limit === 'plan';
  const limits = useQuery({
    ...limitsQuery({ chatId: reached?.chat, projectId: reached?.project }),
    enabled: reached !== undefined && !isBudget,
  });
  const budget = useQuery({ ...budgetQuery(planId), enabled: isBudget });
  if (!reached || reached.max === undefined) return false;
  const fields: LimitField[] = isBudget
    ? budget.data
      ? budgetFields(budget.data)
      : []
    : limits.data
      ? limitFields(limits.data)
      : [];
  const field = fields.find(({ name }) => name === fieldOf(reached));
  return field !== undefined && isEnough(field, reached);
}
