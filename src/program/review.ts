import type { Compiled } from './compile.ts';
import type { ProgramDag } from './dag.ts';

/** What a dry run says of a program, before anything is read (document 2). */
export interface Review {
  dry_verdict: 'ok' | 'review';
  dry_review: {
    has_unprojected_multi_row_read: boolean;
    has_unbounded_read_root: boolean;
    has_full_collection_compute: boolean;
    has_foreach_fanout_risk: boolean;
    has_relation_many_source_fanout: boolean;
    has_query_limit_row_filter: boolean;
    /** Only when there are some. */
    unused_seeds?: string[];
  };
  /** Then it goes asynchronous by itself. */
  expensive: boolean;
  /** Why, in words for people; advice too. */
  reasons: string[];
  /** Requests to the source; `most` is null when nothing bounds them. */
  estimated_calls: { least: number; most: number | null };
}

export function reviewOf(_dag: ProgramDag, _compiled: Pick<Compiled, 'unused'>): Review {
  throw new Error('not there yet');
}
