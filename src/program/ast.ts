/** Where something stands in the text of a program; both count from 1. */
export interface Place {
  line: number;
  column: number;
}

export interface Word extends Place {
  text: string;
}

/** A program as it is written, every name and value with its place; what the names mean is for `compile`. */
export interface ProgramAst {
  /** `name = …`, in the order of the text. */
  steps: StepAst[];
  /** Whose rows are the result. */
  returns: ChainAst[];
}

export interface StepAst {
  name: Word;
  chain: ChainAst;
}

/** Rows of something, and what is done to them from left to right. */
export interface ChainAst extends Place {
  head: HeadAst;
  ops: OpAst[];
}

export type HeadAst =
  | { kind: 'name'; name: Word }
  | { kind: 'get'; name: Word; key: ValueAst }
  | { kind: 'search'; name: Word; text: ValueAst };

export type OpAst = Place &
  (
    | { does: 'filter'; predicates: PredicateAst[] }
    | { does: 'project'; fields: Word[] }
    | { does: 'map'; fields: { name: Word; path: Word[] }[] }
    | { does: 'limit' | 'page_size'; n: number }
    | { does: 'sort'; keys: { field: Word; desc: boolean }[] }
    | { does: 'group_by'; by: Word[]; aggregate: AggregateAst[] }
    | { does: 'singleton' }
    | { does: 'relation'; name: Word }
    | { does: 'reverse'; entity: Word; predicates: PredicateAst[] }
    | { does: 'effect'; what: Effect; values: { field: Word; value: ValueAst }[] }
    | { does: 'for_each'; effect: ChainAst }
  );

export const EFFECTS = ['create', 'update', 'delete'] as const;
export type Effect = (typeof EFFECTS)[number];

export const COMPARISONS = ['=', '!=', '>', '<', '>=', '<=', '~'] as const;
export type Comparison = (typeof COMPARISONS)[number];

export interface PredicateAst {
  field: Word;
  op: Comparison;
  value: ValueAst;
}

export const AGGREGATES = ['count', 'sum', 'min', 'max', 'avg'] as const;

export interface AggregateAst {
  name: Word;
  does: (typeof AGGREGATES)[number];
  field?: Word;
}

/** `word`: a bare one, of which the field's type decides what it is. `text` of a number is as it was written. */
export type ValueAst = Place &
  (
    | { kind: 'text'; text: string }
    | { kind: 'number'; text: string }
    | { kind: 'word'; text: string }
    | { kind: 'list'; items: ValueAst[] }
    | { kind: 'ref'; base: string; path: Word[] }
  );
