import { randomUUID } from 'node:crypto';
import { ExpressionError } from '../plan/expression.ts';
import type { Json } from '../plan/json.ts';

/** No data can have this key: it is another one in every process. */
const KEY = `cut-${randomUUID()}`;

/** Stands for a stored value whose middle was dropped when it was written: it must not pass for a whole one. */
export const cutValue = (droppedBytes: number): Json => ({ [KEY]: droppedBytes });

/** The value that an expression gave, unless it holds one that was cut: then throws ExpressionError. */
export function whole(value: Json, expression?: string): Json {
  const dropped = droppedFrom(value);
  if (dropped === undefined) return value;
  const what = expression === undefined ? 'the value' : `\${{ ${expression} }}`;
  throw new ExpressionError(
    `${what} was cut, ${dropped} bytes of it were dropped: write long output to a file instead`,
  );
}

function droppedFrom(value: Json): number | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, KEY)) return (value as Record<string, number>)[KEY];
  for (const item of Object.values(value)) {
    const dropped = droppedFrom(item);
    if (dropped !== undefined) return dropped;
  }
  return undefined;
}
