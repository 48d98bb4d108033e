import type { ChainAst, Place, ProgramAst, StepAst, Word } from './ast.ts';
import { continuationOf } from './continuation.ts';
import { expectation } from './expectation.ts';
import { type RawChain, readStatement, type Statement, type Unreadable } from './grammar.ts';
import { collectProblems, quote, type Report } from './problems.ts';
import { readChain } from './read-ops.ts';
import { scan, type Statement as Tokens } from './tokens.ts';

/** What came as a program: one, a continuation of something that runs or has more rows, or the text of a plan file. */
export type Parsed =
  | { kind: 'program'; ast: ProgramAst }
  | { kind: 'continuation'; verb: Verb; handle: string; project?: string[] }
  | { kind: 'plan'; text: string };

export const VERBS = ['wait', 'cancel', 'page'] as const;
export type Verb = (typeof VERBS)[number];

export const LARGEST_PROGRAM = 64 * 1_024;

/** A text that begins with `plan:`, or the same as JSON, behind comments and white space. No repeat within a repeat: it is for any text. */
const BEFORE = /(?:\s|#[^\n]*|---)*/y;
const PLAN_FILE = /(?:\{\s*)?["']?plan["']?\s*:(?:\s|$)/y;

/** Throws PROGRAM_INVALID with all that is wrong, each with its line and column. */
export function parseProgram(given: string): Parsed {
  const text = given.replace(/^\uFEFF/, '');
  if (isPlanFile(text)) return { kind: 'plan', text };
  const report = collectProblems();
  const size = Buffer.byteLength(text);
  if (size > LARGEST_PROGRAM) {
    report.problem(
      START,
      `a program has at most ${LARGEST_PROGRAM / 1_024} KiB; this one has ${Math.ceil(size / 1_024)}`,
    );
    report.raise();
  }
  const { statements, problems, end } = scan(text);
  for (const { message, ...place } of problems) report.problem(place, message);
  if (statements.length === 0 && problems.length === 0)
    report.problem(START, 'the program is empty; the smallest one is the name of an entity');
  report.raise();
  const read = statements.map((statement, i) => readOne(statement, statements[i + 1], end, report));
  report.raise();
  const whole = read as Statement[];
  const continuation = continuationOf(whole, report);
  const ast = continuation ? undefined : programOf(whole, report);
  report.raise();
  return continuation ?? { kind: 'program', ast: ast! };
}

const START: Place = { line: 1, column: 1 };

function isPlanFile(text: string): boolean {
  BEFORE.lastIndex = 0;
  PLAN_FILE.lastIndex = BEFORE.exec(text)![0].length;
  return PLAN_FILE.test(text);
}

function readOne(statement: Tokens, next: Tokens | undefined, end: Word, report: Report): Statement | undefined {
  const read = readStatement(statement);
  if (!('expected' in read)) return read;
  report.problem(...expectation(read as Unreadable, statement, next, end));
  return undefined;
}

/** Names that programs of later releases will give a meaning. */
const RESERVED_NAME = /^[epmv][0-9]+$/;
const TAKEN = ['_', 'return', 'true', 'false', 'null', ...VERBS] as readonly string[];

function programOf(statements: readonly Statement[], report: Report): ProgramAst {
  const steps: StepAst[] = [];
  const chain = (raw: RawChain) => readChain(raw, report);
  let returns: ChainAst[] = [];
  for (const [i, statement] of statements.entries()) {
    const last = i === statements.length - 1;
    if (statement.form === 'step') {
      const { name } = statement;
      if (TAKEN.includes(name.text))
        report.problem(name, `${quote(name.text)} cannot name a step; choose another name`);
      else if (RESERVED_NAME.test(name.text))
        report.problem(
          name,
          `names such as e1, p2, m3 and v4 are kept for later; choose another name than ${name.text}`,
        );
      steps.push({ name, chain: chain(statement.chain) });
      if (last) returns = [{ head: { kind: 'name', name }, ops: [], line: name.line, column: name.column }];
      continue;
    }
    const chains = statement.chains.map(chain);
    if (last) returns = chains;
    else
      report.problem(
        chains[0]!,
        statement.return
          ? 'nothing may follow the line with return'
          : 'nothing uses these rows: name them (x = …), or put them in the last line, which gives the results',
      );
  }
  return { steps, returns };
}
