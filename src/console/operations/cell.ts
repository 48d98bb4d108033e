import { plainText } from '../ui/plain-text.ts';

const LONGEST = 300;
const LONGEST_ROW = 200_000;
/** The first half of a character that was cut in two. */
const HALF = /[\uD800-\uDBFF]$/;

/** A value as its cell shows it: text, whatever it says, and cut where it is long; the row's dialog has all of it. */
export function cellText(value: unknown): string {
  if (value === undefined) return '';
  const text = plainText(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
  return text.length > LONGEST ? `${text.slice(0, LONGEST).replace(HALF, '')}…` : text;
}

/** Numbers are compared by their last digits, everything else is read from its beginning. */
export const isNumber = (value: unknown): boolean => typeof value === 'number';

export function rowText(row: object): string {
  const text = plainText(JSON.stringify(row, null, 2));
  return text.length > LONGEST_ROW ? `${text.slice(0, LONGEST_ROW).replace(HALF, '')}\n… and more` : text;
}
