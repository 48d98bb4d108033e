import { asText, evaluate, type Scope, splitTemplate } from '../../plan/expression.ts';
import type { Json } from '../../plan/json.ts';
import { whole } from '../cut-values.ts';
import { inHeredocAsIs, type ShellContext, startOfScript, walk } from './shell-context.ts';

/** An expression stands where no value can be put. */
export class ShellTemplateError extends Error {
  override readonly name = 'ShellTemplateError';
}

/**
 * Puts values into a script as shell variables, never as text: what a value holds is not read as part of the script, wherever
 * it stands, so it cannot run. Where it stands decides only how the variable is written, so that it arrives whole and as one word.
 */
export function renderScriptTemplate(script: string, scope: Scope): string {
  const values: string[] = [];
  const context = startOfScript();
  const body = splitTemplate(script).map((part) => {
    if ('text' in part) {
      walk(context, part.text);
      return part.text;
    }
    const value = whole(evaluate(part.expression, scope), part.expression);
    refuseWhereItCannotStand(context, value, part.expression);
    values.push(assigned(value));
    return written(context, `\${${nameOf(values.length)}}`);
  });
  const lines = values.map((value, i) => `${nameOf(i + 1)}=${value}\n`);
  return [...lines, ...body].join('');
}

const nameOf = (n: number): string => `__holdpoint_value_${n}`;

/** The right side of an assignment of our own, where single quotes hold anything; a shell cannot hold NUL, so that is left out. */
const assigned = (value: Json): string => `'${asText(value).replaceAll('\0', '').replaceAll("'", `'\\''`)}'`;

function refuseWhereItCannotStand(context: ShellContext, value: Json, expression: string): void {
  if (inHeredocAsIs(context))
    throw new ShellTemplateError(
      `\${{ ${expression} }} stands in a here-document with a quoted delimiter, which the shell takes as it is: ` +
        'leave the quotes of the delimiter out, or give the value in a variable',
    );
  // The shell computes what a variable holds there, commands in it included.
  if (context.stack.at(-1) === 'arithmetic' && !/^-?\d+$/.test(asText(value)))
    throw new ShellTemplateError(`\${{ ${expression} }} stands in shell arithmetic and is not a whole number`);
}

function written(context: ShellContext, variable: string): string {
  if (context.escaped) return variable;
  switch (context.stack.at(-1)) {
    case 'bare':
      return `"${variable}"`;
    case 'single':
      return `'"${variable}"'`;
    default:
      return variable;
  }
}
