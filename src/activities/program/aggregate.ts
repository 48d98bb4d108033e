import type { Json } from '../../plan/json.ts';
import type { Aggregate } from '../../program/dag.ts';
import { TaskFailure } from '../kind.ts';
import type { Row } from './chunk.ts';
import { compareKeys, fieldOf, type Key, keyOf, numberIn } from './values.ts';

/** What is held while rows come; rows themselves are not. */
export interface GroupLimits {
  groups: number;
  bytes: number;
}
const LIMITS: GroupLimits = { groups: 100_000, bytes: 32 * 1_024 * 1_024 };

/** A row for each group, in the order in which the groups came; without `by`, one row for all, also when there are none. */
export async function grouped(
  source: AsyncIterable<Row[]>,
  by: readonly string[],
  aggregates: readonly Aggregate[],
  limits: GroupLimits = LIMITS,
): Promise<Row[]> {
  const groups = new Map<string, Group>();
  const begin = (values: Json[]): Group => ({ values, tallies: aggregates.map((one) => TALLIES[one.does](one)) });
  if (by.length === 0) groups.set('[]', begin([]));
  let bytes = 0;
  for await (const batch of source)
    for (const row of batch) {
      const values = by.map((name) => fieldOf(row, name) ?? null);
      const key = JSON.stringify(values);
      let group = groups.get(key);
      if (!group) {
        bytes += key.length;
        if (groups.size >= limits.groups || bytes > limits.bytes) throw tooMany(by, limits);
        group = begin(values);
        groups.set(key, group);
      }
      for (const tally of group.tallies) tally.add(row);
    }
  return Array.from(groups.values(), ({ values, tallies }) =>
    Object.fromEntries([
      ...by.map((name, i) => [name, values[i]!] as const),
      ...aggregates.map(({ name }, i) => [name, tallies[i]!.value()] as const),
    ]),
  );
}

interface Group {
  values: Json[];
  tallies: Tally[];
}
interface Tally {
  add(row: Row): void;
  value(): Json;
}

/** Rows without the field do not count; of none, there is neither a least nor an average, and the sum is 0. */
const TALLIES: Record<Aggregate['does'], (aggregate: Aggregate) => Tally> = {
  count: () => {
    let n = 0;
    return { add: () => void n++, value: () => n };
  },
  sum: (aggregate) => {
    const numbers = summing(aggregate);
    return { add: numbers.add, value: () => numbers.sum };
  },
  avg: (aggregate) => {
    const numbers = summing(aggregate);
    return { add: numbers.add, value: () => (numbers.n > 0 ? numbers.sum / numbers.n : null) };
  },
  min: (aggregate) => extreme(aggregate, (order) => order < 0),
  max: (aggregate) => extreme(aggregate, (order) => order > 0),
};

function summing({ does, field = '' }: Aggregate) {
  const numbers = {
    n: 0,
    sum: 0,
    add(row: Row) {
      const value = fieldOf(row, field);
      if (value === undefined) return;
      const number = numberIn(value);
      if (number === undefined)
        throw new TaskFailure(
          `${does}(${field}): ${JSON.stringify(value).slice(0, 60)} is no number; filter such rows out`,
          {
            final: 'hopeless',
          },
        );
      numbers.n += 1;
      numbers.sum += number;
    },
  };
  return numbers;
}

function extreme({ field = '', type }: Aggregate, wins: (order: number) => boolean): Tally {
  let best: Json = null;
  let key: Key;
  return {
    add(row) {
      const value = fieldOf(row, field);
      const own = keyOf(value, type);
      if (own === undefined || (key !== undefined && !wins(compareKeys(own, key)))) return;
      best = value!;
      key = own;
    },
    value: () => best,
  };
}

const tooMany = (by: readonly string[], { groups }: GroupLimits): TaskFailure =>
  new TaskFailure(
    `group_by(${by.join(', ')}) makes more than ${groups} groups, or groups too large to be held; filter first, or group by fewer fields`,
    { final: 'hopeless' },
  );
