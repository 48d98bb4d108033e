import type { Compiled } from './compile.ts';
import type { DagNode, ProgramDag, ReadNode, RefusedNode, RowOp } from './dag.ts';
import { type EstimatedCalls, estimatedCalls } from './estimated-calls.ts';

/** What a dry run says of a program, before anything is read (document 2). */
export interface Review {
  dry_verdict: 'ok' | 'review';
  dry_review: Record<Flag, boolean> & {
    /** Only when there are some. */
    unused_seeds?: string[];
  };
  /** Then it goes asynchronous by itself. */
  expensive: boolean;
  /** Why, in words for people; advice too. */
  reasons: string[];
  estimated_calls: EstimatedCalls;
}

const FLAGS = [
  'has_unprojected_multi_row_read',
  'has_unbounded_read_root',
  'has_full_collection_compute',
  'has_foreach_fanout_risk',
  'has_relation_many_source_fanout',
  'has_query_limit_row_filter',
] as const;
type Flag = (typeof FLAGS)[number];

interface Rule {
  /** Those of document 2; what has none is a reason all the same. */
  flag?: Flag;
  /** What in the program is so, by the words that people know it by. */
  found(program: Program): string[];
  words(found: string): string;
  review: boolean;
  expensive: boolean;
}

const RULES: Rule[] = [
  {
    flag: 'has_unbounded_read_root',
    found: ({ reads }) => reads.filter((read) => !isBounded(read)).map(({ entity }) => entity),
    words: (entity) => `unbounded read: all pages of ${entity} are read; add .limit(n) or .page_size(n)`,
    review: true,
    expensive: true,
  },
  {
    flag: 'has_unprojected_multi_row_read',
    found: ({ reads, isProjected }) =>
      reads.filter((read) => !isBounded(read) && !isProjected(read.id)).map(({ entity }) => entity),
    words: (entity) => `project list reads: all fields of ${entity} are kept; choose some, such as [id]`,
    review: true,
    expensive: false,
  },
  {
    flag: 'has_full_collection_compute',
    found: ({ nodes, readsOf }) =>
      nodes.flatMap((node) => {
        const reads = readsOf(node.id).filter(isList);
        const groups = reads.length > 0 && opsOf(node).some((op) => 'group_by' in op);
        const sorts = reads.some((read) => !isBounded(read)) && opsOf(node).some((op) => 'sort' in op);
        return [...(groups ? ['group_by or aggregate'] : []), ...(sorts ? ['sort'] : [])];
      }),
    words: (what) => `narrow before aggregate or limit: ${what} needs all rows of the list before it gives any`,
    review: true,
    expensive: false,
  },
  {
    flag: 'has_foreach_fanout_risk',
    found: ({ refused }) => refused.filter(({ what }) => what === 'for_each').map(({ text }) => text),
    words: (text) => `for_each fanout: ${text} would be a call for every row, and is not run yet`,
    review: true,
    expensive: true,
  },
  {
    flag: 'has_relation_many_source_fanout',
    found: ({ refused }) => refused.filter(({ what }) => what === 'relation').map(({ text }) => text),
    words: (text) => `relation fanout: ${text} would be a read for every row, and is not run yet`,
    review: true,
    expensive: true,
  },
  {
    found: ({ refused }) =>
      refused
        .filter(({ what }) => what !== 'for_each' && what !== 'relation')
        .map(({ what, text }) => `${what}: ${text}`),
    words: (text) => `${text} is not run yet`,
    review: true,
    expensive: false,
  },
  {
    flag: 'has_query_limit_row_filter',
    found: ({ nodes }) => nodes.flatMap((node) => (filtersLimited(opsOf(node)) ? [node.id] : [])),
    words: () => 'a filter behind a limit looks at the limited rows alone; put the filter first if all are meant',
    review: false,
    expensive: false,
  },
];

/** What of a program needs a look before it is run; see document 2 for what is `review` and what is `expensive`. */
export function reviewOf(dag: ProgramDag, { unused }: Pick<Compiled, 'unused'>): Review {
  const program = programOf(dag);
  const applied = RULES.map((rule) => ({ ...rule, at: rule.found(program) })).filter(({ at }) => at.length > 0);
  const flags = new Set(applied.map(({ flag }) => flag));
  const reasons = applied.flatMap(({ at, words }) => [...new Set(at.map(words))]);
  return {
    dry_verdict: applied.some(({ review }) => review) ? 'review' : 'ok',
    dry_review: {
      ...(Object.fromEntries(FLAGS.map((flag) => [flag, flags.has(flag)])) as Record<Flag, boolean>),
      ...(unused.length > 0 && { unused_seeds: unused }),
    },
    expensive: applied.some(({ expensive }) => expensive),
    reasons: [
      ...reasons,
      ...(unused.length > 0 ? [`unused seed ${unused.join(', ')}: nothing uses what is named so`] : []),
    ],
    estimated_calls: estimatedCalls(program.reads),
  };
}

interface Program {
  nodes: DagNode[];
  reads: ReadNode[];
  refused: RefusedNode[];
  /** Whether fields of a node's rows are chosen before they are a result. */
  isProjected(id: string): boolean;
  /** The reads whose rows a node has, by whatever nodes between. */
  readsOf(id: string): readonly ReadNode[];
}

function programOf({ nodes, edges, returns }: ProgramDag): Program {
  const projected = new Map<string, boolean>();
  const reads = new Map<string, ReadNode[]>();
  const from = new Map<string, string[]>();
  const to = new Map<string, string[]>();
  for (const [a, b] of edges) {
    from.set(b, [...(from.get(b) ?? []), a]);
    to.set(a, [...(to.get(a) ?? []), b]);
  }
  // In topological order, and against it: what a node stands on is known before the node.
  for (const node of nodes)
    reads.set(
      node.id,
      node.op === 'read' ? [node] : [...new Set((from.get(node.id) ?? []).flatMap((id) => reads.get(id)!))],
    );
  for (const { id, ...node } of [...nodes].reverse()) {
    const chooses = opsOf(node).some((op) => 'project' in op || 'map' in op || 'group_by' in op);
    const users = to.get(id) ?? [];
    projected.set(id, chooses || (!returns.includes(id) && users.every((user) => projected.get(user)!)));
  }
  return {
    nodes,
    reads: nodes.filter((node) => node.op === 'read'),
    refused: nodes.filter((node) => node.op === 'refused'),
    isProjected: (id) => projected.get(id)!,
    readsOf: (id) => reads.get(id)!,
  };
}

const opsOf = (node: { op: string; ops?: RowOp[] }): RowOp[] => node.ops ?? [];

const isList = ({ source }: ReadNode): boolean => 'items' in source;

/** One row, or no more than so many of those that fit, or a page of them. */
export const isBounded = (read: ReadNode): boolean =>
  !isList(read) || read.page_size !== undefined || read.ops.some((op) => 'limit' in op);

function filtersLimited(ops: readonly RowOp[]): boolean {
  const limit = ops.findIndex((op) => 'limit' in op);
  return limit !== -1 && ops.slice(limit).some((op) => 'filter' in op);
}
