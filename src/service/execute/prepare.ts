import type { Place } from '../../contract/payloads.ts';
import type { Catalog } from '../../program/catalog.ts';
import { commitId } from '../../program/commit.ts';
import { type Compiled, compile } from '../../program/compile.ts';
import { ofPlan } from '../../program/of-plan.ts';
import type { Parsed } from '../../program/parse.ts';
import { collectProblems } from '../../program/problems.ts';
import { type Review, reviewOf } from '../../program/review.ts';
import type { PlanReader } from '../plan-reader.ts';
import type { OperationFacts } from './facts.ts';
import type { Operation } from './operation.ts';
import { planOfProgram } from './plan-of-program.ts';
import type { SessionKey } from './session.ts';

/** A program that was understood: what it would do, what is said of that, and what would run it. */
export interface Prepared {
  compiled: Compiled;
  review: Review;
  commit_id: string;
  /** Without its plan's id. Throws PROGRAM_INVALID for what is understood and not run yet. */
  operation(): Omit<Operation, 'plan_id'>;
}

type Program = Exclude<Parsed, { kind: 'continuation' }>;

export async function prepare(
  reader: PlanReader,
  key: SessionKey,
  catalog: Catalog,
  parsed: Program,
  { text, place }: { text: string; place: Place },
): Promise<Prepared> {
  const { org_id, prompt_hash, surface, session } = key;
  const compiled =
    parsed.kind === 'program'
      ? compile(parsed.ast, catalog, prompt_hash)
      : ofPlan((await reader.read(org_id, parsed.text)).definition);
  const { dag, labels } = compiled;
  const review = reviewOf(dag, compiled);
  const commit_id = commitId(dag);
  const verdict = review.dry_verdict;
  const common = { prompt_hash, surface, session, commit_id, verdict };
  const program = oneLine(text);
  return {
    compiled,
    review,
    commit_id,
    operation() {
      if (parsed.kind === 'plan') {
        const facts: OperationFacts = { ...common, total: dag.nodes.length, steps: [], returns: [] };
        return { facts, program, what: { text: parsed.text, place } };
      }
      mustBeRun(compiled);
      const definition = planOfProgram({ dag, labels }, program.slice(0, LONGEST_NAME));
      const steps = definition.tasks.map(({ id }) => id);
      const facts: OperationFacts = { ...common, total: steps.length, steps, returns: returnsOf(compiled) };
      return { facts, program, what: { definition } };
    },
  };
}

/** The name of the plan, in lists of plans. */
const LONGEST_NAME = 100;
const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

function mustBeRun({ dag, places }: Compiled): void {
  const report = collectProblems();
  for (const node of dag.nodes)
    if (node.op === 'refused') {
      const what = `${WORDS[node.what]} (${node.text.slice(0, 200)})`;
      report.problem(places[node.id]!, `not run yet: ${what}; leave that out`);
    }
  report.raise();
}
const WORDS = {
  relation: 'relations',
  for_each: 'for_each',
  create: 'create',
  update: 'update',
  delete: 'delete',
  search: 'search',
} as const;

function returnsOf({ dag, labels }: Compiled): OperationFacts['returns'] {
  const byId = new Map(dag.nodes.map((node) => [node.id, node]));
  return dag.returns.map((node) => {
    const of = byId.get(node)!;
    const page_size = 'page_size' in of ? of.page_size : undefined;
    return { node, label: labels[node] ?? node, ...(page_size !== undefined && { page_size }) };
  });
}
