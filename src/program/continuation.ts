import type { Statement } from './grammar.ts';
import { type Parsed, VERBS, type Verb } from './parse.ts';
import type { Report } from './problems.ts';
import { readChain } from './read-ops.ts';

/** `wait(h)`, `cancel(h)` or `page(h)`, which stand alone; the last may choose fields. */
export function continuationOf(statements: readonly Statement[], report: Report): Parsed | undefined {
  const chains = statements.flatMap((one) => (one.form === 'step' ? [one.chain] : one.chains));
  const found = chains.find(({ head }) => isVerb(head.name.text));
  if (!found) return undefined;
  const { head, ops } = found;
  const verb = head.name.text as Verb;
  const [only] = statements;
  if (head.kind !== 'get' || (head.key.kind !== 'word' && head.key.kind !== 'text'))
    report.problem(
      head.name,
      `write ${verb}(HANDLE), with the handle that an answer gave, such as s0_${verb === 'page' ? 'pg' : 'o'}1`,
    );
  else if (statements.length > 1 || chains.length > 1 || only!.form === 'step' || only!.return)
    report.problem(head.name, `${verb}(…) stands alone: it is a whole program`);
  else {
    const {
      ops: [project, ...more],
    } = readChain({ ...found, ops }, report);
    if (!project) return { kind: 'continuation', verb, handle: head.key.text };
    if (verb === 'page' && project.does === 'project' && more.length === 0) {
      const names = project.fields.map(({ text }) => text);
      return { kind: 'continuation', verb, handle: head.key.text, project: names };
    }
    report.problem(
      more[0] ?? project,
      verb === 'page' ? 'after page(…) only fields can be chosen: page(h)[a, b]' : `nothing may follow ${verb}(…)`,
    );
  }
  return undefined;
}

const isVerb = (name: string): boolean => (VERBS as readonly string[]).includes(name);
