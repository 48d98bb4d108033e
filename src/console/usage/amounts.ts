import { amount } from '../../plan/limits.ts';

export type Unit = 'tokens' | 'cost';

/** `1,234 tokens`; money has no sign, for the profiles of models do not name theirs. */
export const inUnit = (value: number, unit: Unit): string =>
  unit === 'cost' ? `cost ${amount(value)}` : `${amount(value)} ${value === 1 ? 'token' : 'tokens'}`;

export { amount };

/** Commas as `amount` writes them, between groups of three; one elsewhere may be meant as a decimal point. */
const GROUPED = /^\d{1,3}(,\d{3})+(\.\d*)?$/;

/** Whether there is a comma which does not part thousands. */
export const hasStrayComma = (text: string): boolean => text.includes(',') && !GROUPED.test(withoutGaps(text));

const withoutGaps = (text: string): string => text.replaceAll(/[\s_]/g, '');

/** What was typed as a limit: nothing is no limit; undefined when it is no such number. */
export function limitIn(text: string, unit: Unit): number | null | undefined {
  if (hasStrayComma(text)) return undefined;
  const plain = withoutGaps(text).replaceAll(',', '');
  if (plain === '') return null;
  if (!(unit === 'cost' ? /^(\d+\.?\d*|\.\d+)$/ : /^\d+$/).test(plain)) return undefined;
  const value = Number(plain);
  return Number.isSafeInteger(Math.trunc(value)) ? value : undefined;
}
