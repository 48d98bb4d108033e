import type { Json } from '../../plan/json.ts';
import type { Predicate } from '../../program/dag.ts';
import type { Row } from './chunk.ts';
import { comparable, compareKeys, fieldOf, type Key, keyOf } from './values.ts';

/**
 * Whether a row is one that a predicate means. With a missing value nothing holds but `!=`; `= null` means that it is missing.
 * A list stands for any of its values.
 */
export function predicateOf({ field, op, value, type = typeof value === 'number' ? 'number' : undefined }: Predicate) {
  const key = (given: Json | undefined): Key => keyOf(given, type);
  const holds = TESTS[op](value, key);
  return (row: Row): boolean => holds(fieldOf(row, field));
}

type Test = (value: Json, key: (given: Json | undefined) => Key) => (found: Json | undefined) => boolean;

const equals: Test = (value, key) => {
  if (value === null) return (found) => found === undefined;
  const wanted = new Set(Array.isArray(value) ? value.map(key) : [key(value)]);
  // A list is also the list itself.
  if (Array.isArray(value)) wanted.add(keyOf(value));
  wanted.delete(undefined);
  return (found) => wanted.has(key(found)) || (Array.isArray(found) && wanted.has(keyOf(found)));
};

const ordered =
  (fits: (order: number) => boolean): Test =>
  (value, key) => {
    const limit = key(value);
    return (found) => {
      const own = key(found);
      if (own === undefined || limit === undefined || !comparable(own, limit)) return false;
      return fits(compareKeys(own, limit));
    };
  };

const contains: Test = (value) => {
  const sought = textOf(value)?.toLowerCase();
  const has = (found: Json | undefined): boolean =>
    Array.isArray(found) ? found.some(has) : (textOf(found)?.toLowerCase().includes(sought!) ?? false);
  return (found) => sought !== undefined && has(found);
};

const textOf = (value: Json | undefined): string | undefined =>
  value === undefined || value === null || typeof value === 'object' ? undefined : String(value);

const TESTS: Record<Predicate['op'], Test> = {
  '=': equals,
  '!=': (value, key) => {
    const same = equals(value, key);
    return (found) => !same(found);
  },
  '>': ordered((order) => order > 0),
  '<': ordered((order) => order < 0),
  '>=': ordered((order) => order >= 0),
  '<=': ordered((order) => order <= 0),
  '~': contains,
};
