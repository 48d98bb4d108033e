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
  /** By calls in flight. */
  reserved?: number | undefined;
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
    reserved: spent.chat?.reserved.tokens,
    each: 'chat',
    least: 0,
  },
  {
    name: 'maxTokensPerDay',
    words: 'Tokens per day',
    unit: 'tokens',
    max: limits.maxTokensPerDay,
    spent: spent.today.tokens,
    reserved: spent.today.reserved.tokens,
    least: 0,
  },
  {
    name: 'maxCostPerDay',
    words: 'Cost per day',
    unit: 'cost',
    max: limits.maxCostPerDay,
    spent: spent.today.cost,
    reserved: spent.today.reserved.cost,
    least: 0,
  },
  {
    name: 'maxCostPerProject',
    words: 'Cost per project',
    unit: 'cost',
    max: limits.maxCostPerProject,
    spent: spent.project?.cost,
    reserved: spent.project?.reserved.cost,
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
    reserved: spent.reserved.tokens,
    least: 1,
  },
  {
    name: 'max_cost',
    words: 'Cost of the plan',
    unit: 'cost',
    max: budget.max_cost,
    spent: spent.cost,
    reserved: spent.reserved.cost,
    least: Number.MIN_VALUE,
  },
];

/** The least that a limit has to be for a call that asks for so much more. */
export const leastFor = ({ spent, reserved = 0 }: LimitField, needed: number | undefined): number | undefined =>
  spent === undefined || needed === undefined ? undefined : Math.round((spent + reserved + needed) * 1e9) / 1e9;
