import { asText } from '../../plan/expression.ts';
import type { Json } from '../../plan/json.ts';
import { piecesOf } from '../../plan/step/references.ts';
import { whole } from '../cut-values.ts';
import { TaskFailure } from '../kind.ts';
import { inHeredocAsIs, type ShellContext, startOfScript, walk } from '../run/shell-context.ts';
import { type Read, valueOfReference } from './values.ts';

/**
 * The script of a `shell:` step. Values are put in as shell variables, so that what they hold is never read as part of the
 * script; where one stands outside of quotes it is split into words, as its text would be. See shell-text.decision.md.
 */
export function shellScript(text: string, read: Read): string {
  const values: string[] = [];
  const context = startOfScript();
  const body = piecesOf(text).map((piece) => {
    const value = 'text' in piece ? undefined : valueOfReference(piece, read, 'shell');
    if ('text' in piece || value === undefined) {
      const written = 'text' in piece ? piece.text : piece.written;
      walk(context, written);
      return written;
    }
    const shown = asText(whole(value)).replaceAll('\0', '');
    if (inHeredocAsIs(context)) return inQuotedHeredoc(context, shown, piece.written);
    mayStandInArithmetic(context, value, piece.written);
    values.push(shown);
    context.before = 'x';
    return written(context, `\${${nameOf(values.length)}}`);
  });
  const lines = values.map((value, i) => `${nameOf(i + 1)}='${value.replaceAll("'", `'\\''`)}'\n`);
  // As `sh -c` would run it: the code of the last command counts.
  return ['set +e\n', ...lines, ...body].join('');
}

const nameOf = (n: number): string => `__holdpoint_value_${n}`;

function written(context: ShellContext, variable: string): string {
  switch (context.stack.at(-1)) {
    case 'single':
      return `'"${variable}"'`;
    case 'ansi':
      return `'"${variable}"$'`;
    default:
      return variable;
  }
}

/** Nothing is expanded there, so the text itself is put in, unless it would end the here-document. */
function inQuotedHeredoc({ reading }: ShellContext, text: string, reference: string): string {
  if (text.split('\n').some((line) => line.trim() === reading!.delimiter))
    throw invalid(`${reference} has a line "${reading!.delimiter}", which would end the here-document it stands in`);
  return text;
}

/** The shell computes what a variable holds there, commands in it included. */
function mayStandInArithmetic({ stack }: ShellContext, value: Json, reference: string): void {
  if (stack.at(-1) !== 'arithmetic' || /^\s*-?\d+\s*$/.test(asText(value))) return;
  throw invalid(`${reference} stands in shell arithmetic and is ${JSON.stringify(asText(value).slice(0, 40))}`);
}

const invalid = (message: string): TaskFailure => new TaskFailure(`shell: ${message}`, { final: 'invalid' });
