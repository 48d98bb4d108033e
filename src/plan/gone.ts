/** By task: what it had made and is no longer there, or is not what it was. */
export interface Gone {
  /** Declared files. */
  files: Record<string, string[]>;
  /** Outputs in the artifact store. */
  stored?: Record<string, string[]>;
  /** Declared files of what ran inside a task. */
  inside?: Record<string, GoneInside>;
}

/** What is gone of that which a sub-plan or a map had made. */
export interface GoneInside {
  /** In a sub-plan: by its tasks. */
  plan?: Gone;
  /** Of a map: items `from` to `to`, the last not included, in their order. */
  items?: Span[];
  /** Some of it, for people. */
  named: string[];
}
export type Span = [from: number, to: number];

/** People are told of so many; who reads on looks himself. */
export const MOST_NAMED = 5;

export const isWithin = (spans: readonly Span[], n: number): boolean => spans.some(([from, to]) => from <= n && n < to);

/** The parts of these spans that lie between two places. */
export const spansIn = (spans: readonly Span[] = [], { from, to }: { from: number; to: number }): Span[] =>
  spans.flatMap(([first, last]): Span[] => {
    const part: Span = [Math.max(first, from), Math.min(last, to)];
    return part[0] < part[1] ? [part] : [];
  });

/** The same spans without what lies between two places. */
export const spansOutside = (spans: readonly Span[], { from, to }: { from: number; to: number }): Span[] => [
  ...spansIn(spans, { from: 0, to: from }),
  ...spansIn(spans, { from: to, to: Number.MAX_SAFE_INTEGER }),
];
