import type { RowOp } from '../../program/dag.ts';
import { isStreaming } from '../../program/dag.ts';
import { TaskFailure } from '../kind.ts';
import { grouped } from './aggregate.ts';
import type { Row } from './chunk.ts';
import { sorted } from './sorted.ts';
import { streaming } from './streaming.ts';

type Rows = AsyncIterable<Row[]>;

/** Rows with ops done to them, from left to right. `folderOf`: where the n-th op may put what it cannot hold. */
export function piped(ops: readonly RowOp[], source: Rows, folderOf: (n: number) => string): Rows {
  let rows = source;
  for (let n = 0; n < ops.length; n++) {
    const op = ops[n]!;
    if ('sort' in op) rows = sorted(rows, op.sort, { folder: folderOf(n), first: firstWanted(ops, n + 1) });
    else if ('group_by' in op) rows = whole(grouped(rows, op.group_by, op.aggregate));
    else if ('singleton' in op) rows = whole(single(rows));
    else {
      const end = ops.findIndex((later, i) => i > n && !isStreaming(later));
      const run = ops.slice(n, end < 0 ? undefined : end);
      rows = streamed(rows, run);
      n += run.length - 1;
    }
  }
  return rows;
}

async function* streamed(source: Rows, run: readonly RowOp[]): AsyncGenerator<Row[], void> {
  const ops = streaming(run);
  if (ops.full()) return;
  for await (const batch of source) {
    const left = batch.map(ops.push).filter((row) => row !== undefined);
    if (left.length > 0) yield left;
    if (ops.full()) return;
  }
}

/** How many of the sorted rows are looked at by what comes after, where that is a limit at once, or behind what changes columns only. */
function firstWanted(ops: readonly RowOp[], from: number): number {
  for (const op of ops.slice(from)) {
    if ('limit' in op) return op.limit;
    if (!('project' in op || 'map' in op)) break;
  }
  return Number.POSITIVE_INFINITY;
}

async function* whole(rows: Promise<Row[]>): AsyncGenerator<Row[], void> {
  yield await rows;
}

async function single(source: Rows): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of source) {
    rows.push(...batch.slice(0, 2));
    if (rows.length > 1) break;
  }
  if (rows.length === 1) return rows;
  throw new TaskFailure(`singleton() is for one row, and there ${rows.length === 0 ? 'is none' : 'are more'}`, {
    final: 'hopeless',
  });
}
