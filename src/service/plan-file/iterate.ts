import { patternFault } from '../../activities/run/file-pattern.ts';
import { splitTemplate } from '../../plan/expression.ts';
import type { Json, JsonObject } from '../../plan/json.ts';
import { INPUT_TYPES } from '../../plan/schema.ts';
import { type PlanWords, runWords } from './define.ts';
import { nameOfType, quote } from './describe.ts';
import { conditionOf, type Given, type Reads, readsOfTexts } from './expressions.ts';
import { INPUTS_FOUND, ITERATIONS, type Iteration, type Over } from './iterated.ts';
import { isJsonObject } from './plain-json.ts';
import type { Report } from './problems.ts';
import type { TaskList } from './tasks.ts';

const AT = ['iterate', 'over'];

/** What steps read besides, in a plan file with `iterate`. */
export function namesOfIteration({ iterate }: JsonObject): string[] | undefined {
  if (iterate === undefined) return undefined;
  return [isJsonObject(iterate) && typeof iterate.as === 'string' ? iterate.as : 'item', 'index'];
}

/** Checks what the schema cannot say of `iterate`; gives what its `over` reads. */
export function checkIterate(content: JsonObject, list: TaskList, given: Given, report: Report): Reads | undefined {
  const { iterate } = content;
  if (iterate === undefined) return undefined;
  for (const { id, path, handler } of list.entries)
    if (handler && [ITERATIONS, INPUTS_FOUND].includes(id))
      report.problem(path, `the id ${quote(id)} is taken by the iterations; give this one its own`);
  const over = isJsonObject(iterate) ? iterate.over : undefined;
  const isText = typeof over === 'string';
  if (isText) checkText(over, content.inputs, report);
  if (over === undefined || (isText && !over.includes('${{'))) return NOTHING;
  const [texts, path] = isJsonObject(over) ? [over.command ?? null, [...AT, 'command']] : [over, AT];
  return readsOfTexts(texts, path, given, { tasks: BEFORE_ALL }, report);
}

const NOTHING: Reads = { tasks: [], inputs: [], secrets: [] };
const BEFORE_ALL = '`over` is read before the first step runs, so it reads no tasks; a command can tell the inputs';

function checkText(text: string, declared: Json | undefined, report: Report): void {
  const inputs = isJsonObject(declared) ? declared : {};
  const whole = wholeExpression(text);
  if (text.includes('${{')) {
    const rule = 'write one expression alone, such as ${{ inputs.files }}, or a pattern of files without expressions';
    if (whole === undefined) report.problem(AT, `${quote(text)} is an expression and other text; ${rule}`);
    else checkIsList(whole, inputs, report);
    return;
  }
  const name = inputNamed(text);
  const fault = patternFault(text);
  if (name !== undefined && Object.hasOwn(inputs, name))
    report.problem(AT, `is a pattern of files; for what the input gives, write \${{ inputs.${name} }}`);
  else if (fault !== undefined) report.problem(AT, `the pattern of files ${quote(text)} ${fault}`);
}

const inputNamed = (text: string): string | undefined => /^inputs\.(\w+)$/.exec(text.trim())?.[1];

/** Undefined where there is other text beside it; what cannot be read is told with the other expressions. */
function wholeExpression(text: string): string | undefined {
  try {
    const parts = splitTemplate(text.trim());
    return parts.length === 1 && 'expression' in parts[0]! ? parts[0].expression.trim() : undefined;
  } catch {
    return text;
  }
}

/** An input that is declared as something else can never give one. */
function checkIsList(expression: string, inputs: JsonObject, report: Report): void {
  const name = inputNamed(expression);
  const declared = name === undefined ? undefined : inputs[name];
  if (name === undefined || !isJsonObject(declared)) return;
  const { type = 'string' } = declared;
  if (type === 'array' || !(INPUT_TYPES as readonly unknown[]).includes(type)) return;
  report.problem(
    AT,
    `the input ${quote(name)} is ${nameOfType(type as string)}, not a list; declare it with type: array`,
  );
}

export type IterateFile = { over: Json; as: string; max?: number | undefined };

/** The iteration that a checked file says. */
export function iterationOf({ over, as, max }: IterateFile, reads: Reads, plan: PlanWords): Iteration {
  return { over: overOf(over, reads, plan), as, ...(max !== undefined && { max }) };
}

function overOf(over: Json, { inputs }: Reads, plan: PlanWords): Over {
  if (Array.isArray(over)) return { list: over, inputs };
  if (isJsonObject(over)) {
    const command = over.command as string;
    return {
      lines: runWords({ script: command }, plan),
      inputs,
      none: `the command prints nothing: ${shown(command)}`,
    };
  }
  const text = over as string;
  if (text.includes('${{'))
    return { expression: conditionOf(text)!, inputs, none: `the list that ${shown(text)} gives is empty` };
  return { lines: runWords({ find: text }, plan), none: `no file matches ${shown(text)}` };
}

const SHOWN = 100;
const shown = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
};
