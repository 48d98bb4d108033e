import { amount } from '../../plan/limits.ts';

export type Unit = 'tokens' | 'cost';

/** `1,234 tokens`; money has no sign, for the profiles of models do not name theirs. */
export const inUnit = (value: number, unit: Unit): string =>
  unit === 'cost' ? `cost ${amount(value)}` : `${amount(value)} ${value === 1 ? 'token' : 'tokens'}`;

export { amount };

/** What was typed as a limit: nothing is no limit; undefined when it is no such number. */
export function limitIn(text: string, unit: Unit): number | null | undefined {
  const plain = text.replaceAll(/[\s,_]/g, '');
  if (plain === '') return null;
  if (!(unit === 'cost' ? /^(\d+\.?\d*|\.\d+)$/ : /^\d+$/).test(plain)) return undefined;
  const value = Number(plain);
  return Number.isSafeInteger(Math.trunc(value)) ? value : undefined;
}
