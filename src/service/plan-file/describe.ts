/** A value as people call it: `the number 1`, `a list`. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  if (typeof value === 'string') return `the text ${quote(value)}`;
  return typeof value === 'number' ? `the number ${value}` : String(value);
}

const SHOWN = 60;
export const quote = (text: string): string => JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

/** What JSON Schema and zod call types, in the words of a plan file's author. */
const TYPES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
};
export const nameOfType = (type: string): string => TYPES[type] ?? type;
