import type { Budget, Limits } from '../api/types.ts';
import type { Unit } from './amounts.ts';

/** One number that can be raised. */
export interface LimitField<Name extends string = string> {
  name: Name;
  words: string;
  unit: Unit;
  max: number | null;
  /** Undefined: of what has a limit of its own, and is not known here. */
  spent: number | undefined;
  each?: 'chat' | 'project';
  /** The least that a limit can be. */
  least: number;
}

export const limitFields = ({ limits, spent }: Limits): LimitField<keyof Limits['limits']>[] => [
  {
    name: 'maxTokensPerChat',
    words: 'Tokens per chat',
    unit: 'tokens',
    max: limits.maxTokensPerChat,
    spent: spent.chat?.tokens,
    each: 'chat',
    least: 0,
  },
  {
    name: 'maxTokensPerDay',
    words: 'Tokens per day',
    unit: 'tokens',
    max: limits.maxTokensPerDay,
    spent: spent.today.tokens,
    least: 0,
  },
  {
    name: 'maxCostPerDay',
    words: 'Cost per day',
    unit: 'cost',
    max: limits.maxCostPerDay,
    spent: spent.today.cost,
    least: 0,
  },
  {
    name: 'maxCostPerProject',
    words: 'Cost per project',
    unit: 'cost',
    max: limits.maxCostPerProject,
    spent: spent.project?.cost,
    each: 'project',
    least: 0,
  },
];

export const budgetFields = ({ budget, spent }: Budget): LimitField<keyof Budget['budget']>[] => [
  {
    name: 'max_tokens',
    words: 'Tokens of the plan',
    unit: 'tokens',
    max: budget.max_tokens,
    spent: spent.tokens,
    least: 1,
  },
  {
    name: 'max_cost',
    words: 'Cost of the plan',
    unit: 'cost',
    max: budget.max_cost,
    spent: spent.cost,
    least: Number.MIN_VALUE,
  },
];
