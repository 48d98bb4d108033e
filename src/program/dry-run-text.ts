import type { Json } from '../plan/json.ts';
import type { Compiled } from './compile.ts';
import type { DagNode, Predicate, RowOp } from './dag.ts';
import type { Review } from './review.ts';

/** The dry run as text for people and agents (document 2); `handle` is its commit token. */
export function dryRunText({ dag, labels }: Compiled, review: Review, handle?: string): string {
  const { nodes, edges, returns } = dag;
  const reads = nodes.filter(({ op }) => op === 'read').length;
  const writes = nodes.filter((node) => node.op === 'refused' && WRITES.includes(node.what)).length;
  const counts = [`${nodes.length}n`, `${reads}r`, ...(writes > 0 ? [`${writes}w`] : [])].join(' ');
  const result = some(returns.map((id) => labels[id] ?? id));
  const header = `plan ${review.dry_verdict} · ${counts} → ${result}${handle === undefined ? '' : ` · ${handle}`}`;
  const warnings = review.reasons.length > 0 ? [`warn: ${review.reasons.join('; ')}`] : [];
  const inputs = new Map<string, string[]>();
  for (const [from, to] of edges) inputs.set(to, [...(inputs.get(to) ?? []), from]);
  const width = Math.max(2, String(nodes.length).length);
  const steps = nodes.map((node, i) => {
    const from = inputs.get(node.id) ?? [];
    const read = from.length > 0 ? ` ← ${from.join(', ')}` : '';
    return `${String(i + 1).padStart(width, '0')} ${node.id} ${does(node, labels)}${read}`;
  });
  return [header, ...warnings, ...calls(review, reads), '', ...steps].join('\n');
}

const WRITES: string[] = ['for_each', 'create', 'update', 'delete'];
const MOST_NAMED = 5;

const some = (names: string[]): string =>
  names.length > MOST_NAMED ? `${names.slice(0, MOST_NAMED).join(', ')}, …` : names.join(', ');

function calls({ estimated_calls: { least, most } }: Review, reads: number): string[] {
  if (reads === 0) return [];
  const at = most === null ? `${least} or more` : most === least ? String(least) : `${least} to ${most}`;
  return [`calls: ${at}`];
}

function does(node: DagNode, labels: Record<string, string>): string {
  switch (node.op) {
    case 'task':
      return `${node.kind} ${labels[node.id] ?? ''}`.trim();
    case 'refused':
      return `${node.what} ${node.text}`;
    case 'read': {
      const what = `${'items' in node.source ? 'query' : 'get'} ${node.entity}`;
      return [what, ...opTexts(node)].join(', ');
    }
    case 'rows':
      return opTexts(node).join(', ') || 'rows';
  }
}

const opTexts = ({ ops, page_size }: { ops: RowOp[]; page_size?: number }): string[] => [
  ...ops.map(opText),
  ...(page_size === undefined ? [] : [`page_size ${page_size}`]),
];

function opText(op: RowOp): string {
  if ('filter' in op) return `filter ${op.filter.map(predicateText).join(' and ')}`;
  if ('project' in op) return `project ${op.project.join(', ')}`;
  if ('map' in op) return `map _ => {${op.map.map(({ name, path }) => ` ${name}: _.${path.join('.')}`).join(',')} }`;
  if ('limit' in op) return `limit ${op.limit}`;
  if ('sort' in op) return `sort ${op.sort.map(({ field, desc }) => `${field} ${desc ? 'desc' : 'asc'}`).join(', ')}`;
  if ('singleton' in op) return 'singleton';
  const made = op.aggregate.map(
    ({ name, does, field }) => `${name}: ${does}${field === undefined ? '' : `(${field})`}`,
  );
  return `${op.group_by.length > 0 ? `group_by ${op.group_by.join(', ')}` : 'aggregate'} → { ${made.join(', ')} }`;
}

const predicateText = ({ field, op, value }: Predicate): string => `${field} ${op} ${valueText(value)}`;
const valueText = (value: Json): string => JSON.stringify(value);
