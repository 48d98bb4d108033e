import { randomUUID } from 'node:crypto';
import { asText } from '../../plan/expression.ts';
import type { Json } from '../../plan/json.ts';
import { piecesOf, type Reference } from '../../plan/step/references.ts';
import { whole } from '../cut-values.ts';

/** Reads a variable of a step's texts; undefined where there is none. */
export type Read = (path: readonly string[]) => Json | undefined;

/**
 * What stands for a reference; undefined: it stays as it is written. In a script `${name:-text}` of a name that has no value is
 * left to bash, which may know a variable of that name.
 */
export function valueOfReference({ path, fallback, format }: Reference, read: Read, where: 'shell' | 'text') {
  if (path.length === 1 && path[0] === 'uuid') return randomUUID();
  if (format !== undefined) return formattedDate(format, new Date());
  const found = read(path);
  if (!fallback || (found !== undefined && found !== '')) return found;
  const isForBash = where === 'shell' && fallback.form === 'shell' && path.length === 1 && !path[0]!.includes('-');
  return found === undefined && isForBash ? undefined : fallback.text;
}

/** A text that no shell reads: what is known is filled in. */
export const filledIn = (text: string, read: Read): string =>
  piecesOf(text)
    .map((piece) => {
      if ('text' in piece) return piece.text;
      const value = valueOfReference(piece, read, 'text');
      return value === undefined ? piece.written : asText(whole(value));
    })
    .join('');

/** A date in the form that `date` takes, with its most used words; others stay as they are. */
function formattedDate(format: string, now: Date): string {
  const two = (n: number) => String(n).padStart(2, '0');
  const date = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  const time = `${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}`;
  const words: Record<string, string> = {
    F: date,
    T: time,
    Y: date.slice(0, 4),
    m: date.slice(5, 7),
    d: date.slice(8),
    H: time.slice(0, 2),
    M: time.slice(3, 5),
    S: time.slice(6),
    s: String(Math.floor(now.getTime() / 1_000)),
    '%': '%',
  };
  return format.replace(/%(.)/g, (written, word: string) => words[word] ?? written);
}
