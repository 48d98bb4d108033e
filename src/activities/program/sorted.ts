import { createReadStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RowOp } from '../../program/dag.ts';
import type { Row } from './chunk.ts';
import { compareKeys, fieldOf, type Key, keyOf } from './values.ts';

export type SortKeys = Extract<RowOp, { sort: unknown }>['sort'];

export interface SortRoom {
  /** For what is sorted and not yet merged; made and removed here. */
  folder: string;
  /** About so many bytes of rows are sorted at once, and so many runs merged. */
  runBytes?: number;
  mostRuns?: number;
  /** No more than the first so many are wanted. */
  first?: number;
}
const RUN_BYTES = 4 * 1_024 * 1_024;
const MOST_RUNS = 64;
const BATCH = 500;

/**
 * Rows in order, equal ones as they came; what is missing comes last, also in a descending order. An external merge sort: what is
 * too much to be held is sorted run by run, into files of one row a line, which are then read together.
 */
export async function* sorted(
  source: AsyncIterable<Row[]>,
  keys: SortKeys,
  { folder, runBytes = RUN_BYTES, mostRuns = MOST_RUNS, first = Number.POSITIVE_INFINITY }: SortRoom,
): AsyncGenerator<Row[], void> {
  const order = orderOf(keys);
  const runs: string[] = [];
  let named = 0;
  let held: Entry[] = [];
  let bytes = 0;
  const settle = () => {
    held.sort(order);
    if (held.length > first) held.length = first;
  };
  const spill = async (batches: AsyncIterable<Row[]> | Iterable<Row[]>) => {
    await mkdir(folder, { recursive: true });
    const path = join(folder, `${named++}.jsonl`);
    const file = await open(path, 'w', 0o600);
    try {
      for await (const batch of batches) await file.write(batch.map((row) => `${JSON.stringify(row)}\n`).join(''));
    } finally {
      await file.close();
    }
    return path;
  };
  try {
    await rm(folder, { recursive: true, force: true });
    for await (const batch of source)
      for (const row of batch) {
        held.push({ keys: keysOf(row, keys), row });
        bytes += roughBytes(row);
        if (bytes < runBytes) continue;
        const before = held.length;
        settle();
        // What is cut off to the first few need not be written.
        bytes = held.length * (bytes / before);
        if (bytes < runBytes / 2) continue;
        runs.push(await spill(inBatches(held)));
        held = [];
        bytes = 0;
        if (runs.length < mostRuns) continue;
        const whole = await spill(merged(runs.map(rowsIn), keys, order));
        await Promise.all(runs.splice(0, runs.length, whole).map((path) => rm(path)));
      }
    settle();
    yield* runs.length === 0 ? inBatches(held) : merged([...runs.map(rowsIn), once(inBatches(held))], keys, order);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Entry {
  keys: Key[];
  row: Row;
}
type Order = (a: Entry, b: Entry) => number;

const keysOf = (row: Row, keys: SortKeys): Key[] => keys.map(({ field, type }) => keyOf(fieldOf(row, field), type));

function orderOf(keys: SortKeys): Order {
  const signs = keys.map(({ desc }) => (desc ? -1 : 1));
  return (a, b) => {
    for (let i = 0; i < signs.length; i++) {
      const x = a.keys[i];
      const y = b.keys[i];
      if (x === undefined || y === undefined) {
        if (x === y) continue;
        return x === undefined ? 1 : -1;
      }
      const by = compareKeys(x, y);
      if (by !== 0) return by * signs[i]!;
    }
    return 0;
  };
}

function* inBatches(entries: Entry[]): Generator<Row[], void> {
  for (let i = 0; i < entries.length; i += BATCH) yield entries.slice(i, i + BATCH).map(({ row }) => row);
}

async function* once<T>(values: Iterable<T>): AsyncGenerator<T, void> {
  yield* values;
}

async function* rowsIn(path: string): AsyncGenerator<Row[], void> {
  let rest = '';
  for await (const text of createReadStream(path, { encoding: 'utf8', highWaterMark: 64 * 1_024 })) {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    if (lines.length > 0) yield lines.map((line) => JSON.parse(line) as Row);
  }
}

/** The least of all runs, again and again. Of equal ones that of the earlier run: it came first. */
async function* merged(sources: AsyncGenerator<Row[], void>[], keys: SortKeys, order: Order) {
  const runs = sources.map((source) => ({ source, entries: [] as Entry[], at: 0 }));
  type Run = (typeof runs)[number];
  const fill = async (run: Run): Promise<boolean> => {
    while (run.at >= run.entries.length) {
      const { value, done } = await run.source.next();
      if (done) return false;
      run.entries = value.map((row) => ({ keys: keysOf(row, keys), row }));
      run.at = 0;
    }
    return true;
  };
  try {
    const open: Run[] = [];
    for (const run of runs) if (await fill(run)) open.push(run);
    let batch: Row[] = [];
    while (open.length > 0) {
      let least = open[0]!;
      for (const run of open) if (order(run.entries[run.at]!, least.entries[least.at]!) < 0) least = run;
      batch.push(least.entries[least.at++]!.row);
      if (batch.length >= BATCH) {
        yield batch;
        batch = [];
      }
      if (least.at >= least.entries.length && !(await fill(least))) open.splice(open.indexOf(least), 1);
    }
    if (batch.length > 0) yield batch;
  } finally {
    for (const { source } of runs) await source.return();
  }
}

/** Near enough to its JSON's length, without making that. */
function roughBytes(value: unknown): number {
  if (typeof value === 'string') return value.length + 3;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = 2;
  for (const key in value) bytes += key.length + 4 + roughBytes((value as Record<string, unknown>)[key]);
  return bytes;
}
