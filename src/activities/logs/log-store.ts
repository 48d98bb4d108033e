import type { LogRef } from './attempt-files.ts';

/** The log of one attempt. */
export interface AttemptLog extends LogRef {
  bytes: number;
  /** Bytes that its middle lacks, where it was too long to be kept whole. */
  dropped?: number;
  started_at: string;
  /** When it last grew, or began. */
  last_output_at: string;
}

export interface LogFilter {
  task?: string | undefined;
  run?: number | undefined;
}

/** What the attempts of tasks wrote, by plan. Whoever reads has been found to be allowed to. */
export interface LogStore {
  /** In the order in which the attempts began. */
  list(planId: string, filter?: LogFilter): Promise<AttemptLog[]>;
  /** Bytes `from` to `to`, the last not included, in pieces that fit in memory; fewer where the log ends before. */
  read(planId: string, log: LogRef, from: number, to: number): AsyncIterable<Buffer>;
}

export const sameLog = (a: LogRef, b: LogRef): boolean =>
  a.run === b.run && a.task === b.task && a.attempt === b.attempt && a.dispatch === b.dispatch && a.again === b.again;
