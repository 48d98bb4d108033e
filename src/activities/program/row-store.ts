import type { ReadPosition } from '../../plan/read-position.ts';
import type { Chunk, Row } from './chunk.ts';

/** What a step of an operation told of itself. */
export interface StepLine {
  /** Among the lines of its operation: that of the accept is 1, so the first of these is 2. */
  n: number;
  /** ms since the epoch. */
  at: number;
  step: number;
  total: number;
  label: string;
  rows: number;
}

/** What a node has kept so far, whether it still runs, has ended, failed, or was stopped. */
export interface Standing {
  /** Rows kept, also those that are in no chunk yet: for as long as it runs, that may be those of the last two seconds. */
  count: number;
  chunks: Chunk[];
  /** Whether all is there. */
  ended: boolean;
  /** Of a read by pages that has ended and has more: where the next one begins. */
  next?: ReadPosition;
  /** Of a read: how many pages its source has given. */
  calls?: number;
}

/** What the tasks of programs read and told, by plan. What is not there (yet) is empty, and never an error. */
export interface RowStore {
  lines(planId: string): Promise<StepLine[]>;
  standing(planId: string, nodeId: string): Promise<Standing>;
  /** Rows from `offset` on, at most `limit`; throws ArtifactGone when a chunk is gone, or is another plan's. */
  read(planId: string, chunks: readonly Chunk[], offset: number, limit: number): Promise<Row[]>;
  /** All of them, a chunk at a time. */
  stream(planId: string, chunks: readonly Chunk[], offset?: number): AsyncGenerator<Row[], void>;
  /**
   * Lets no read of this plan ask for another page, and ends those that wait for one, within a fifth of a second; what was read is
   * kept. For a plan that was just told to stop: without that, its reads are tried again some seconds later.
   */
  halt(planId: string): Promise<void>;
}
