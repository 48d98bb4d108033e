import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryClient } from '../api/queries.ts';
import type { Plan } from '../api/types.ts';
import { amount } from './amounts.ts';
import { budgetQuery } from './queries.ts';

/** Kinds whose tasks ask models, or hold others that may. */
const ASKING = ['llm', 'map', 'plan'];

/** Whether there is anything to say of what a plan has spent on models. */
export const mayAskModels = ({ tasks }: Plan): boolean => tasks.some(({ kind }) => ASKING.includes(kind));

/** What all attempts of all runs of a plan have spent, of how much they may; in words, undefined when there is nothing. */
export function usePlanUsage(plan: Plan): string | undefined {
  const { plan_id, tasks } = plan;
  const ended = tasks.filter(({ kind, ended_at }) => ASKING.includes(kind) && ended_at !== undefined).length;
  const isAsking = mayAskModels(plan);
  const { data } = useQuery({ ...budgetQuery(plan_id), enabled: isAsking });
  // Each that has ended was settled before: it is read again then.
  useEffect(() => {
    if (isAsking) void queryClient.invalidateQueries({ queryKey: budgetQuery(plan_id).queryKey });
  }, [plan_id, isAsking, ended]);
  if (!data) return undefined;
  const { spent, budget } = data;
  if (spent.tokens === 0 && budget.max_tokens === null && budget.max_cost === null) return undefined;
  const tokens = `${amount(spent.tokens)}${of(budget.max_tokens)} tokens`;
  return spent.cost === 0 && budget.max_cost === null
    ? tokens
    : `${tokens}, cost ${amount(spent.cost)}${of(budget.max_cost)}`;
}

const of = (max: number | null): string => (max === null ? '' : ` of ${amount(max)}`);
