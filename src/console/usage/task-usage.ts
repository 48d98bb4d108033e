import type { Task } from '../api/types.ts';
import { amount } from './amounts.ts';

/** What the attempt of a task that succeeded took, by name; empty for tasks that ask no models. */
export function taskUsage({ outputs }: Task): [name: string, words: string][] {
  const { usage, model } = (outputs ?? {}) as { usage?: Partial<Usage>; model?: unknown };
  if (typeof usage?.total_tokens !== 'number') return [];
  const { input_tokens = 0, output_tokens = 0, total_tokens, cost = 0, calls = 1 } = usage;
  const facts: [string, string][] = [
    ['Tokens', `${amount(total_tokens)} (${amount(input_tokens)} in, ${amount(output_tokens)} out)`],
  ];
  if (typeof model === 'string') facts.unshift(['Model', model]);
  if (cost > 0) facts.push(['Cost', amount(cost)]);
  if (calls > 1) facts.push(['Calls', String(calls)]);
  return facts;
}

interface Usage {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
  cost: number;
  calls: number;
}
