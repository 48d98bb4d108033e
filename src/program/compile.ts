import type { Place, ProgramAst, StepAst } from './ast.ts';
import type { Catalog } from './catalog.ts';
import { compileChain } from './compile-chain.ts';
import type { DagNode, Predicate, ProgramDag, ReadNode } from './dag.ts';
import { type Draft, type Flow, numbered, rowsOf } from './flow.ts';
import { collectProblems, quote, type Report } from './problems.ts';
import { listSource } from './sources.ts';
import { isOtherName, usesIn } from './uses.ts';

export interface Compiled {
  dag: ProgramDag;
  /** By node id: what people know the step by. */
  labels: Record<string, string>;
  /** By node id: where what is refused when it is to run stands. */
  places: Record<string, Place>;
  /** Named steps that no other step and no return uses; they are not in the DAG. */
  unused: string[];
}

export const MOST_NODES = 1_000;

/** Throws PROGRAM_INVALID with all names and values that do not fit the catalog. */
export function compile(ast: ProgramAst, catalog: Catalog, promptHash: string): Compiled {
  const report = collectProblems();
  const uses = usesIn(ast);
  const steps = new Map<string, Flow | undefined>();
  const later = new Set(ast.steps.map(({ name }) => name.text));
  const around = { catalog, promptHash, steps, later, report };

  for (const step of ast.steps) {
    const { text } = step.name;
    if (steps.has(text)) report.problem(step.name, `${quote(text)} is named twice; choose another name`);
    else if (Object.hasOwn(catalog.entities, text))
      report.problem(step.name, `${text} is an entity; choose another name for the step`);
    const flow = compileChain(step.chain, uses.times(step) === 0, around);
    later.delete(text);
    steps.set(text, flow && named(flow, step, uses.times(step), report));
  }
  const roots = ast.returns.map((chain) => rootOf(compileChain(chain, false, around)));
  const seen = new Set<unknown>();
  for (const [i, root] of roots.entries()) {
    if (root && seen.has(root)) report.problem(ast.returns[i]!, 'the same rows are returned twice; keep one');
    seen.add(root);
  }
  report.raise();

  const { nodes, edges, ids } = numbered(roots.map((root) => root!));
  if (nodes.length > MOST_NODES)
    report.problem(
      ast.returns[0]!,
      `a program has at most ${MOST_NODES} steps of its own; this one has ${nodes.length}`,
    );
  report.raise();
  return {
    dag: {
      version: 1,
      nodes: nodes.map((node) => read(node, catalog)),
      edges,
      topological_order: nodes.map(({ id }) => id),
      returns: roots.map((root) => ids.get(root!)!),
    },
    labels: Object.fromEntries([...ids].map(([{ label }, id]) => [id, label])),
    places: Object.fromEntries([...ids].flatMap(([{ at }, id]) => (at ? [[id, at]] : []))),
    unused: uses.unused,
  };
}

/** The rows of a named step: read once, they go on in the same node; read by several, they are a node of their own. */
function named(flow: Flow, step: StepAst, times: number, report: Report): Flow {
  if (times > 1 && flow.page_size && !isOtherName(step))
    report.problem(
      flow.page_size.at,
      `${step.name.text} is used more than once, and pages are for results alone: write return ${step.name.text}.page_size(${flow.page_size.n}), …`,
    );
  if (!flow.shared) flow.draft.label = step.name.text;
  // What nothing returned reads must not change what is.
  return { ...flow, shared: flow.shared || times !== 1, ...(times > 1 && { page_size: undefined }) };
}

/** What is returned may come page by page. */
function rootOf(flow: Flow | undefined): Draft | undefined {
  if (!flow?.page_size) return flow?.draft;
  const { n } = flow.page_size;
  const { draft, shared } = flow;
  const { node } = draft;
  if (!shared && (node.op === 'read' || node.op === 'rows')) {
    draft.node = { ...node, page_size: n };
    return draft;
  }
  const paged = rowsOf(draft, []);
  return { ...paged, node: { op: 'rows', ops: [], page_size: n } };
}

/** What a read asks its source for: the fields of the catalog, and comparisons that the source may look at itself. */
function read(node: DagNode, catalog: Catalog): DagNode {
  if (node.op !== 'read') return node;
  const { fields, list } = catalog.entities[node.entity]!;
  const chosen = node.ops.some((op) => 'project' in op || 'map' in op);
  const declared = { ...node, ...(!chosen && { fields: Object.keys(fields).sort() }) };
  return 'items' in node.source ? { ...declared, source: listSource(list!, pushed(node)) } : declared;
}

/** Comparisons that hold of the rows as the source has them. */
function pushed(node: ReadNode): Predicate[] {
  const predicates: Predicate[] = [];
  for (const op of node.ops) {
    // Behind a limit fewer rows are looked at, and behind a map fields have other names.
    if ('limit' in op || 'map' in op) break;
    if ('filter' in op) predicates.push(...op.filter);
  }
  return predicates;
}
