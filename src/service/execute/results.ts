import type { Chunk, Row } from '../../activities/program/chunk.ts';
import type { Json } from '../../plan/json.ts';
import type { Caller } from '../caller.ts';
import { readView } from '../read-plan.ts';
import { isPlanFile, type OperationFacts, type ReturnFacts } from './facts.ts';
import type { ExecuteParts } from './parts.ts';

/** What one step of an operation has kept. */
export interface Result extends ReturnFacts {
  count: number;
  /** Where its rows are … */
  chunks: Chunk[];
  /** … or the rows themselves, of a plan file. */
  rows?: Row[];
  /** The source has more than was asked for. */
  hasNext: boolean;
  /** How often its source was asked for it; of rows that come from no source, or long ago, undefined. */
  calls?: number;
}

/** Rows in one answer, unless the program says how many are a page of it. */
export const MOST_ROWS = 1_000;
const LARGEST_PAGE = 10_000;
/** Rows may be large; an answer is not to be much larger than this. */
const ANSWER_BYTES = 4_000_000;

/** What an operation has kept, and how often it has asked its sources for that, where that is known. */
export interface Kept {
  results: Result[];
  calls?: number;
}

/**
 * What an operation's result is, or has become so far. Of one of whose results there are no rows yet, what the steps that have begun
 * have kept.
 */
export async function keptOf(
  { stores, client }: ExecuteParts,
  { principal: { org_id } }: Caller,
  planId: string,
  facts: OperationFacts,
  begun: readonly { step: number; label: string }[] = [],
): Promise<Kept> {
  if (isPlanFile(facts)) {
    const { tasks } = await readView(client, { org_id, plan_id: planId });
    const rows = tasks.map(
      ({ id, status, outputs }): Row => ({
        task: id,
        status,
        outputs: (outputs ?? null) as Json,
      }),
    );
    return { results: [{ node: '', label: 'tasks', count: rows.length, chunks: [], rows, hasNext: false }] };
  }
  const others = new Map(begun.map(({ step, label }) => [facts.steps[step - 1] ?? '', label]));
  for (const { node } of facts.returns) others.delete(node);
  const found = await Promise.all(
    [...facts.returns, ...Array.from(others, ([node, label]) => ({ node, label }))].map((one) =>
      resultOf(stores.rows, planId, one),
    ),
  );
  const asked = found.flatMap(({ calls }) => calls ?? []);
  const calls = asked.length > 0 && { calls: asked.reduce((sum, n) => sum + n, 0) };
  const results = found.slice(0, facts.returns.length);
  const partial = found.slice(facts.returns.length).filter(({ count }) => count > 0);
  const isPartial = partial.length > 0 && results.every(({ count }) => count === 0);
  return { results: isPartial ? partial : results, ...calls };
}

export async function resultOf(rows: ExecuteParts['stores']['rows'], planId: string, of: ReturnFacts): Promise<Result> {
  const { count, chunks, next, calls } = await rows.standing(planId, of.node);
  // Rows that are in no chunk yet cannot be read; of a step that has ended there are none.
  return { ...of, count, chunks, hasNext: next !== undefined, ...(calls !== undefined && { calls }) };
}

/** Rows from one on, as many as an answer has. */
export async function rowsFrom(
  rows: ExecuteParts['stores']['rows'],
  planId: string,
  result: Result,
  offset: number,
  limit = result.page_size ?? MOST_ROWS,
): Promise<Row[]> {
  const most = Math.min(limit, LARGEST_PAGE);
  if (result.rows) return result.rows.slice(offset, offset + most);
  const bytes = result.chunks.reduce((sum, { $stored }) => sum + $stored.bytes, 0);
  const each = bytes / Math.max(1, result.count);
  const fitting = Math.max(1, Math.min(most, Math.floor(ANSWER_BYTES / Math.max(1, each))));
  return await rows.read(planId, result.chunks, offset, fitting);
}
