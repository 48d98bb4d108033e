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
}

/** Rows in one answer, unless the program says how many are a page of it. */
export const MOST_ROWS = 1_000;
const LARGEST_PAGE = 10_000;
/** Rows may be large; an answer is not to be much larger than this. */
const ANSWER_BYTES = 4_000_000;

/**
 * What an operation's result is, or has become so far. Of one that ended before what it returns had begun, what its last step
 * has kept.
 */
export async function resultsOf(
  { stores, client }: ExecuteParts,
  { principal: { org_id } }: Caller,
  planId: string,
  facts: OperationFacts,
  last?: { step: number; label: string },
): Promise<Result[]> {
  if (isPlanFile(facts)) {
    const { tasks } = await readView(client, { org_id, plan_id: planId });
    const rows = tasks.map(
      ({ id, status, outputs }): Row => ({
        task: id,
        status,
        outputs: (outputs ?? null) as Json,
      }),
    );
    return [{ node: '', label: 'tasks', count: rows.length, chunks: [], rows, hasNext: false }];
  }
  const results = await Promise.all(facts.returns.map((one) => resultOf(stores.rows, planId, one)));
  const node = last && facts.steps[last.step - 1];
  if (node === undefined || results.some(({ count }) => count > 0) || results.some((one) => one.node === node))
    return results;
  const partial = await resultOf(stores.rows, planId, { node, label: last!.label });
  return partial.count > 0 ? [partial] : results;
}

export async function resultOf(rows: ExecuteParts['stores']['rows'], planId: string, of: ReturnFacts): Promise<Result> {
  const { count, chunks, next } = await rows.standing(planId, of.node);
  // Rows that are in no chunk yet cannot be read; of a step that has ended there are none.
  return { ...of, count, chunks, hasNext: next !== undefined };
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
