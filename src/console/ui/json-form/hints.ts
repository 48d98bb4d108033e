import type { FieldLook, JsonSchema } from './schema.ts';

const LOOKS: Partial<Record<FieldLook, string>> = { lines: 'One on each line.', json: 'Written as JSON.' };

/** What a field is about, and what may be written in it. */
export function hintOf(schema: JsonSchema, look: FieldLook): string {
  return [schema.description, LOOKS[look], limits(schema), look === 'text' && formatOf(schema)]
    .filter(Boolean)
    .join(' ');
}

function limits({ minimum, maximum, minLength, maxLength, minItems, maxItems }: JsonSchema): string | undefined {
  if (minimum !== undefined || maximum !== undefined) return range(minimum, maximum, '');
  if (minLength !== undefined || maxLength !== undefined) return range(minLength, maxLength, ' characters');
  if (minItems !== undefined || maxItems !== undefined) return range(minItems, maxItems, '');
  return undefined;
}

function range(from: number | undefined, to: number | undefined, unit: string): string {
  if (from === undefined) return `At most ${to}${unit}.`;
  if (to === undefined) return `At least ${from}${unit}.`;
  return `From ${from} to ${to}${unit}.`;
}

const formatOf = ({ format, pattern }: JsonSchema): string | undefined => {
  if (format !== undefined) return `${/^[aeio]/.test(format) ? 'An' : 'A'} ${format}.`;
  return pattern === undefined ? undefined : `Fits the pattern ${pattern}`;
};
