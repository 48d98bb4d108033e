import { createHash } from 'node:crypto';
import { PROGRAM_KINDS } from '../../activities/kinds.ts';
import type { NodeWords } from '../../activities/program/node-words.ts';
import type { PlanDefinition, RetryPolicy, TaskDefinition } from '../../plan/definition.ts';
import { withFingerprints } from '../../plan/fingerprint.ts';
import type { Json } from '../../plan/json.ts';
import type { ReadPosition } from '../../plan/read-position.ts';
import type { DagNode, ProgramDag, ReadNode, RowsNode } from '../../program/dag.ts';

/** Goes on with one read, and does nothing else. */
export interface GoOn {
  node: string;
  at: ReadPosition;
}

/** Sources are asked by so many reads of one program at once. */
const MAX_PARALLEL = 8;
/** Each page is tried again by itself first. */
const RETRY: RetryPolicy = { max_attempts: 3, delay_ms: 1_000, backoff: 2, max_delay_ms: 30_000 };

/**
 * The plan that runs a program: a task for each node, of the same id, but for those that nothing returned comes from. Throws for
 * nodes that are not run: `refused`, and tasks of plan files, which have a definition of their own.
 */
export function planOfProgram(
  { dag, labels }: { dag: ProgramDag; labels: Record<string, string> },
  name: string,
  { from }: { from?: GoOn | undefined } = {},
): PlanDefinition {
  const nodes = from ? [readOf(dag, from.node)] : wanted(dag).map(runnable);
  const at = new Map(nodes.map(({ id }, i) => [id, i]));
  const tasks = nodes.map((node, i) => {
    const needs = node.op === 'rows' ? [at.get(node.from)!] : [];
    return taskOf(node, needs, {
      node: node as unknown as NodeWords['node'],
      step: i + 1,
      total: nodes.length,
      label: labels[node.id] ?? (node.op === 'read' ? node.entity : node.id),
      ...(from && { from: from.at }),
      ...(node.op === 'read' && node.source.secrets?.length && { secrets: node.source.secrets }),
    });
  });
  return { schema_version: 1, name, max_parallel: MAX_PARALLEL, tasks: marked(tasks) };
}

function readOf({ nodes }: ProgramDag, id: string): ReadNode {
  const found = nodes.find((node) => node.id === id);
  if (found?.op !== 'read') throw new Error(`${id} is no read of this program`);
  return found;
}

/** In order, those that are returned and all that they come from. */
function wanted({ nodes, topological_order, returns }: ProgramDag): DagNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const seen = new Set<string>();
  const open = [...returns];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const node = byId.get(id);
    if (!node) throw new Error(`the program has no node ${id}`);
    if (node.op === 'rows') open.push(node.from);
  }
  return topological_order.flatMap((id) => (seen.has(id) ? byId.get(id)! : []));
}

function runnable(node: DagNode): ReadNode | RowsNode {
  if (node.op === 'read' || node.op === 'rows') return node;
  throw new Error(`${node.op === 'refused' ? `${node.what} (${node.text})` : `the task ${node.id}`} is not run`);
}

type Unmarked = Omit<TaskDefinition, 'fingerprint'>;

const taskOf = ({ id, op }: ReadNode | RowsNode, needs: number[], words: NodeWords): Unmarked => ({
  id,
  kind: op,
  mode: 'activity',
  needs,
  uses: needs,
  inputs: [],
  with: words as unknown as Json,
  retry: RETRY,
  on_failure: 'fail',
});

const marked = (tasks: Unmarked[]): TaskDefinition[] =>
  withFingerprints(tasks, {
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
    kindVersion: (kind) => PROGRAM_KINDS.find(({ key }) => key === kind)?.version ?? 1,
    inputsOf: () => ({}),
    env: {},
  });
