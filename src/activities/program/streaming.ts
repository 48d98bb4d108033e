import type { Json } from '../../plan/json.ts';
import type { RowOp } from '../../program/dag.ts';
import { TaskFailure } from '../kind.ts';
import type { Row } from './chunk.ts';
import { predicateOf } from './predicate.ts';
import { fieldOf } from './values.ts';

/** Does ops to rows one by one, as they come. */
export interface Streaming {
  /** What becomes of a row; undefined: it is left out. */
  push(row: Row): Row | undefined;
  /** Whether a limit is reached, so that nothing that comes now gets through. */
  full(): boolean;
  /** How many rows each limit has let through. */
  taken(): number[];
}

/** What an op makes of a row, from the count of its own limit on. */
type Stage = (row: Row) => Row | undefined;

export function streaming(ops: readonly RowOp[], taken: readonly number[] = []): Streaming {
  const limits: { most: number; taken: number }[] = [];
  const stages = ops.map((op): Stage => {
    if ('filter' in op) return filtering(op.filter.map(predicateOf));
    if ('project' in op) return shaping(op.project.map((name) => [name, (row) => fieldOf(row, name)]));
    if ('map' in op) return shaping(op.map.map(({ name, path }) => [name, (row) => within(row, path)]));
    if ('limit' in op) {
      const limit = { most: op.limit, taken: taken[limits.length] ?? 0 };
      limits.push(limit);
      return (row) => {
        if (limit.taken >= limit.most) return undefined;
        limit.taken += 1;
        return row;
      };
    }
    throw new TaskFailure(`${Object.keys(op)[0]} needs all rows, and cannot be done to them as they come`, {
      final: 'invalid',
    });
  });
  return {
    push(row) {
      let left: Row | undefined = row;
      for (const stage of stages) {
        left = stage(left);
        if (left === undefined) return undefined;
      }
      return left;
    },
    full: () => limits.some(({ most, taken }) => taken >= most),
    taken: () => limits.map(({ taken }) => taken),
  };
}

const filtering =
  (all: ((row: Row) => boolean)[]): Stage =>
  (row) =>
    all.every((holds) => holds(row)) ? row : undefined;

/** What is missing is null, so that all rows have the same columns. */
const shaping =
  (columns: [name: string, value: (row: Row) => Json | undefined][]): Stage =>
  (row) =>
    Object.fromEntries(columns.map(([name, value]) => [name, value(row) ?? null]));

function within(row: Row, path: readonly string[]): Json | undefined {
  let value: Json | undefined = row;
  for (const name of path) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
    value = fieldOf(value, name);
    if (value === undefined) return undefined;
  }
  return value;
}
