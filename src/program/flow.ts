import type { Place } from './ast.ts';
import type { DagNode, ReadNode, RefusedNode, RowOp, RowsNode } from './dag.ts';
import { isStreaming } from './dag.ts';
import { inOrder } from './predicates.ts';
import type { Shape } from './shape.ts';

/** A node without its number; where it reads another, that one itself. */
export interface Draft {
  node: Omit<ReadNode, 'id'> | Omit<RefusedNode, 'id' | 'from'> | Omit<RowsNode, 'id' | 'from'>;
  from: Draft[];
  label: string;
  /** Of what is refused when it is to run: where it stands. */
  at?: Place;
}

/** Rows on their way through a program: the node that has them last, and what they are there. */
export interface Flow {
  draft: Draft;
  shape: Shape;
  /** The entity whose rows they are, as long as nothing else was made of them. */
  entity?: string;
  /** Others read the node, too: what is done from here on is done in a node of its own. */
  shared: boolean;
  /** Nothing can follow: no rows come of it. */
  ended?: string;
  page_size?: { n: number; at: Place };
}

/** Does one more thing to rows: in the node that has them, when it can do so row by row; else in a new one. */
export function put(flow: Flow, op: RowOp): Flow {
  const { draft, shared } = flow;
  if (shared || draft.node.op === 'refused' || !isStreaming(op))
    return { ...flow, shared: false, draft: rowsOf(draft, [op]) };
  const { ops } = draft.node;
  const last = ops.at(-1);
  const one = last && merged(last, op);
  if (one) ops[ops.length - 1] = one;
  else ops.push(op);
  return flow;
}

export const rowsOf = (from: Draft, ops: RowOp[]): Draft => ({
  node: { op: 'rows', ops },
  from: [from],
  label: from.label,
});

/** Two steps that are one: so that either way of writing has the same commit. */
function merged(first: RowOp, then: RowOp): RowOp | undefined {
  if ('filter' in first && 'filter' in then) return { filter: inOrder([...first.filter, ...then.filter]) };
  if ('limit' in first && 'limit' in then) return { limit: Math.min(first.limit, then.limit) };
  if ('project' in first && 'project' in then) return then;
  return undefined;
}

/** Gives nodes their numbers: each after all that it reads, in the order in which what is returned reaches them. */
export function numbered(returned: readonly Draft[]): {
  nodes: DagNode[];
  edges: [string, string][];
  ids: Map<Draft, string>;
} {
  const ids = new Map<Draft, string>();
  const nodes: DagNode[] = [];
  const edges: [string, string][] = [];
  for (const root of returned) {
    // Depth first without recursion: a chain may be a thousand long.
    const stack = [root];
    while (stack.length > 0) {
      const draft = stack.at(-1)!;
      const open = draft.from.filter((one) => !ids.has(one));
      if (!ids.has(draft) && open.length > 0) {
        stack.push(...open.reverse());
        continue;
      }
      stack.pop();
      if (ids.has(draft)) continue;
      const id = `n${ids.size + 1}`;
      ids.set(draft, id);
      const from = draft.from.map((one) => ids.get(one)!);
      for (const one of new Set(from)) edges.push([one, id]);
      nodes.push(nodeOf(draft, id, from));
    }
  }
  return { nodes, edges, ids };
}

function nodeOf({ node }: Draft, id: string, from: string[]): DagNode {
  if (node.op === 'rows') return { id, from: from[0]!, ...node };
  return node.op === 'refused' ? { id, ...node, from } : { id, ...node };
}
