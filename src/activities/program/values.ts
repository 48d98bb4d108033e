import { canonical } from '../../plan/fingerprint.ts';
import type { Json } from '../../plan/json.ts';
import type { FieldType } from '../../program/dag.ts';
import type { Row } from './chunk.ts';

/** Null is missing, as far as rows are compared; names of what every object has by itself are fields like others. */
export const fieldOf = (row: Row, name: string): Json | undefined =>
  Object.hasOwn(row, name) ? (row[name] ?? undefined) : undefined;

/** By what a value is compared; undefined: missing, or of a type that says otherwise. */
export type Key = number | string | boolean | undefined;

/** Lists and objects are compared by their JSON. A value that is not of its field's type counts as missing. */
export function keyOf(value: Json | undefined, type?: FieldType): Key {
  if (value === undefined || value === null) return undefined;
  if (type === 'number') return numberIn(value);
  if (type === 'date') return instantIn(value);
  return typeof value === 'object' ? canonical(value) : value;
}

/** As sources write them: whole ones of 64 bits and decimals are often texts. */
export function numberIn(value: Json): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : undefined;
}
const NUMBER = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;

const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?\s*(Z|[+-]\d\d:?\d\d)?)?$/i;
/** A number below this is seconds since the epoch, which are later than 5138 then; else milliseconds, which began in 1973. */
const SECONDS_BELOW = 1e11;

/** Milliseconds since the epoch, with fractions; a time without a zone is UTC. */
function instantIn(value: Json): number | undefined {
  if (typeof value === 'number') return Math.abs(value) < SECONDS_BELOW ? value * 1_000 : value;
  if (typeof value !== 'string') return undefined;
  const [, day, minutes = '00:00', seconds = '00', fraction = '', zone = 'Z'] = DATE.exec(value.trim()) ?? [];
  if (day === undefined) return undefined;
  const offset = zone.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  const whole = Date.parse(`${day}T${minutes}:${seconds}${offset}`);
  return Number.isNaN(whole) ? undefined : whole + Number(`0.${fraction || '0'}`) * 1_000;
}

/** Numbers, then texts, then truth values; what is missing comes last, and is asked for by the caller. */
const RANK = { number: 0, string: 1, boolean: 2 } as const;
type Present = Exclude<Key, undefined>;
const rankOf = (key: Present): number => RANK[typeof key as keyof typeof RANK];

/** An order over all keys: below, above, or 0. */
export function compareKeys(a: Present, b: Present): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  return rankOf(a) - rankOf(b) || Number(a) - Number(b);
}

export const comparable = (a: Present, b: Present): boolean => typeof a === typeof b;

/** By code point. The language's own order is by halves of characters, which puts some beyond U+FFFF before others below it. */
function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return x >= 0xd800 && y >= 0xd800 ? lifted(x) - lifted(y) : x - y;
  }
  return a.length - b.length;
}

/** Halves of characters beyond U+FFFF, above all that is below it. */
const lifted = (unit: number): number => (unit < 0xe000 ? unit + 0x2000 : unit - 0x800);
