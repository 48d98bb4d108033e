import { Environment } from '@marcbachmann/cel-js';
import { isNode, LOOPS, MOST_STEPS, type Node, stepsOf } from './expression-cost.ts';
import type { Json, JsonObject } from './json.ts';
import { stepWhen } from './step/when.ts';

/**
 * Expressions are CEL: pure, bounded, not Turing-complete, so that workflow code may evaluate them.
 * In text they stand as `${{ … }}`; `$${{` is the text `${{` itself.
 */
export interface Scope {
  inputs: JsonObject;
  tasks: Record<string, { status: string; outputs: JsonObject }>;
  /** Handlers also read how the plan ends, and why. */
  plan: { id: string; name: string; run: number; status?: string; error?: string };
  /** In a map: the item, by the name that the map gives it, and its place from 0 as `index`. */
  [name: string]: unknown;
}
export const SCOPE_NAMES = ['inputs', 'tasks', 'plan'] as const;

/** An expression that cannot be read or evaluated; `message` is one line that says why. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

const LIMITS = { maxAstNodes: 2_000, maxDepth: 50, maxListElements: 1_000, maxMapEntries: 1_000, maxCallArguments: 32 };
const environment = () =>
  new Environment({
    unlistedVariablesAreDyn: true,
    homogeneousAggregateLiterals: false,
    limits: LIMITS,
  }).registerFunction(
    `${STEP_WHEN}(string, string, dyn, dyn): bool`,
    (text: string, before: string, ...read: unknown[]) =>
      stepWhen(text, before, toJson(read[0]) as JsonObject, toJson(read[1]) as JsonObject),
  );

/** By this the conditions of workflow files are asked; no expression of a plan file may. */
export const STEP_WHEN = 'step_when';

/** Evaluates one expression to plain JSON. */
export const evaluate = (expression: string, scope: Scope): Json => evaluateIn(expression, readable(scope));

/** Reads an expression once, for many values by these names. Throws ExpressionError, as what it gives does. */
export function compiled(expression: string): (values: Readonly<Record<string, Json>>) => Json {
  const program = guarded(expression, () => parse(expression));
  return (values) => guarded(expression, () => run(program, readable(values)));
}

/** A scope, and the same as the evaluator wants it: made once, however many expressions read it. */
interface Readable {
  scope: Readonly<Record<string, unknown>>;
  cel(): object;
}

function readable(scope: Readable['scope']): Readable {
  let made: object | undefined;
  return { scope, cel: () => (made ??= toCel({ ...scope }) as object) };
}

const parse = (expression: string) => environment().parse(expression);

function run(program: ReturnType<typeof parse>, { scope, cel }: Readable): Json {
  if (stepsOf(program.ast, scope) > MOST_STEPS)
    throw new Error(
      `loops inside loops over lists this long take too many steps (more than ${MOST_STEPS.toLocaleString('en')}); compute it in a task of its own`,
    );
  return toJson(program(cel()));
}

const evaluateIn = (expression: string, scope: Readable): Json =>
  guarded(expression, () => run(parse(expression), scope));

/** What an expression reads: inputs by name and tasks by id; throws ExpressionError when it cannot be parsed. */
export function references(expression: string): Record<keyof Found, string[]> {
  const ast = guarded(expression, () => environment().parse(expression).ast) as unknown;
  refuseCostly(ast, expression);
  const found: Found = {
    inputs: new Set(),
    tasks: new Set(),
    secrets: new Set(),
    unknown: new Set(),
    functions: new Set(),
  };
  visit(ast, new Set(), found);
  const { inputs, tasks, secrets, unknown, functions } = found;
  return {
    inputs: [...inputs],
    tasks: [...tasks],
    secrets: [...secrets],
    unknown: [...unknown],
    functions: [...functions],
  };
}

type Part = { text: string } | { expression: string; offset: number };

/** Splits text into what stands as it is and what is computed; throws ExpressionError when `${{` is not closed. */
export function splitTemplate(text: string): Part[] {
  const parts: Part[] = [];
  let plain = '';
  let at = 0;
  while (at < text.length) {
    if (text.startsWith('$${{', at)) {
      plain += '${{';
      at += 4;
    } else if (text.startsWith('${{', at)) {
      const end = closing(text, at + 3);
      if (plain) parts.push({ text: plain });
      plain = '';
      parts.push({ expression: text.slice(at + 3, end).trim(), offset: at });
      at = end + 2;
    } else {
      const next = text.indexOf('$', at + 1);
      plain += text.slice(at, next === -1 ? text.length : next);
      at = next === -1 ? text.length : next;
    }
  }
  if (plain) parts.push({ text: plain });
  return parts;
}

/** Where the `}}` of an expression is, quotes and nested braces minded. */
function closing(text: string, from: number): number {
  let quote = '';
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    const c = text[i]!;
    if (quote) {
      if (c === '\\') i++;
      else if (c === quote) quote = '';
    } else if (c === '"' || c === "'") quote = c;
    else if (c === '{') depth++;
    else if (c === '}' && depth > 0) depth--;
    else if (c === '}' && text[i + 1] === '}') return i;
  }
  throw new ExpressionError(`"\${{" is not closed by "}}" in ${JSON.stringify(text.slice(from - 3, from + 40))}`);
}

/**
 * Puts values into text. Text that is one expression and nothing else keeps the value's type;
 * otherwise each value becomes text by `encode`.
 */
export const renderTemplate = (text: string, scope: Scope, encode: (value: Json) => string = asText): Json =>
  renderText(text, readable(scope), encode);

function renderText(text: string, scope: Readable, encode: (value: Json) => string): Json {
  const parts = splitTemplate(text);
  const [only] = parts;
  if (parts.length === 1 && only && 'expression' in only && encode === asText)
    return evaluateIn(only.expression, scope);
  return parts.map((part) => ('text' in part ? part.text : encode(evaluateIn(part.expression, scope)))).join('');
}

/** Renders every text inside a value. */
export const renderDeep = (value: Json, scope: Scope): Json => renderAll(value, readable(scope));

function renderAll(value: Json, scope: Readable): Json {
  if (typeof value === 'string') return renderText(value, scope, asText);
  if (Array.isArray(value)) return value.map((item) => renderAll(item, scope));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renderAll(item, scope)]));
}

export const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Every expression inside a value, with the keys that lead to it. */
export function expressionsIn(
  value: Json,
  path: (string | number)[] = [],
): { path: (string | number)[]; text: string }[] {
  if (typeof value === 'string')
    return splitTemplate(value).flatMap((part) => ('expression' in part ? [{ path, text: part.expression }] : []));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, item]) =>
    expressionsIn(item, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

function guarded<T>(expression: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    const [reason] = (thrown instanceof Error ? thrown.message : String(thrown)).split('\n');
    if (expression.trim() === '') throw new ExpressionError('the expression is empty');
    const limit = LIMITS_IN_WORDS.find(([sign]) => sign.test(reason!));
    if (limit) throw new ExpressionError(`${limit[1]} in the expression ${shown(expression)}`);
    throw new ExpressionError(`${reason}${hintFor(reason!, expression)} in the expression ${shown(expression)}`);
  }
}

/** On one line, for messages. */
const shown = (expression: string): string => `\`${expression.replace(/\s+/g, ' ').trim().slice(0, 300)}\``;

/** What the evaluator says by its own names. */
const LIMITS_IN_WORDS: readonly [RegExp, string][] = [
  [/^Exceeded maxDepth|Maximum call stack/, `too much is nested in itself (at most ${LIMITS.maxDepth} deep)`],
  [/^Exceeded maxAstNodes/, `it is too long (at most ${LIMITS.maxAstNodes} names, values and signs)`],
  [
    /^Exceeded max(List|Map)/,
    `a list or map that is written out has too many entries (at most ${LIMITS.maxListElements})`,
  ],
];

/** What people write by the habits of other languages. */
function hintFor(reason: string, expression: string): string {
  const [, character = ''] = /^Unexpected character: (.)/.exec(reason) ?? [];
  const meant = { '=': '; compare with "=="', '&': '; write "&&" for "and"', '|': '; write "||" for "or"' }[character];
  if (meant !== undefined) return meant;
  const [, word = ''] = /^Unexpected/.test(reason) ? (/(?:^|[\s)])(and|or|not)(?=[\s(])/.exec(expression) ?? []) : [];
  return { and: '; write "&&" for "and"', or: '; write "||" for "or"', not: '; write "!" for "not"' }[word] ?? '';
}

/** CEL tells whole numbers from others; JSON does not: whole ones become CEL's int, so that `n + 1` works. */
function toCel(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(toCel);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, item]) => [key, toCel(item)] as const);
  // The evaluator tells types by an object's constructor; data may have a key of that name.
  return Object.hasOwn(value, 'constructor') ? new Map(entries) : Object.fromEntries(entries);
}

function toJson(value: unknown): Json {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (Array.isArray(value)) return value.map(toJson);
  const entries = value instanceof Map ? [...value] : isPlain(value) ? Object.entries(value) : undefined;
  if (entries === undefined) throw new Error(`the result is not plain data`);
  return Object.fromEntries(entries.map(([key, item]) => [String(key), toJson(item)]));
}

function isPlain(value: unknown): value is object {
  const prototype: unknown = typeof value === 'object' && value !== null ? Object.getPrototypeOf(value) : undefined;
  return prototype === null || prototype === Object.prototype;
}

interface Found {
  inputs: Set<string>;
  tasks: Set<string>;
  /** Where there are any: elsewhere `secrets` is a name like others. */
  secrets: Set<string>;
  unknown: Set<string>;
  /** By name; whether there is one that takes what it is given is known only when it runs. */
  functions: Set<string>;
}

/** Every function and macro there is. */
export const functionNames = (): string[] =>
  [
    ...new Set(
      environment()
        .getDefinitions()
        .functions.map(({ name }) => name),
    ),
  ].filter((name) => name !== STEP_WHEN);

/** Walks the parser's tree: `tasks.a`, `tasks["a"]`, `inputs.x`; names bound by a macro such as `map(x, …)` are its own. */
function visit(node: unknown, bound: ReadonlySet<string>, found: Found): void {
  if (Array.isArray(node)) {
    for (const item of node) visit(item, bound, found);
    return;
  }
  if (!isNode(node)) return;
  const selected = selection(node);
  if (selected && !bound.has(selected.base)) {
    if (selected.base === 'inputs') found.inputs.add(selected.key);
    else if (selected.base === 'tasks') found.tasks.add(selected.key);
    else if (selected.base === 'secrets') found.secrets.add(selected.key);
  }
  if (node.op === 'id' && typeof node.args === 'string') {
    if (!bound.has(node.args) && !(SCOPE_NAMES as readonly string[]).includes(node.args)) found.unknown.add(node.args);
    return;
  }
  if ((node.op === 'call' || node.op === 'rcall') && Array.isArray(node.args))
    found.functions.add(String(node.args[0]));
  visit(node.args, node.op === 'rcall' ? new Set([...bound, ...macroNames(node.args)]) : bound, found);
}

function selection({ op, args }: Node): { base: string; key: string } | undefined {
  if ((op !== '.' && op !== '[]') || !Array.isArray(args)) return undefined;
  const [base, key] = args as unknown[];
  if (!isNode(base) || base.op !== 'id' || typeof base.args !== 'string') return undefined;
  if (typeof key === 'string') return { base: base.args, key };
  return isNode(key) && key.op === 'value' && typeof key.args === 'string'
    ? { base: base.args, key: key.args }
    : undefined;
}

/** A loop over lists inside two others can take longer than a Workflow Task may, whatever the lists hold. */
const LOOPS_NESTED = 2;

/** The evaluator cannot be interrupted, and one plan's expression would hold up every other's. */
function refuseCostly(node: unknown, expression: string, loops = 0): void {
  if (Array.isArray(node)) for (const item of node) refuseCostly(item, expression, loops);
  if (!isNode(node)) return;
  const name = node.op === 'rcall' && Array.isArray(node.args) ? String(node.args[0]) : '';
  if (name === 'matches')
    throw new ExpressionError(
      `matches() is not supported: a regular expression can take for ever; use ==, contains(), startsWith() or endsWith() in the expression ${shown(expression)}`,
    );
  const depth = LOOPS.includes(name) ? loops + 1 : loops;
  if (depth > LOOPS_NESTED)
    throw new ExpressionError(
      `more than ${LOOPS_NESTED} nested ${LOOPS.join(', ')} in the expression ${shown(expression)}`,
    );
  refuseCostly(node.args, expression, depth);
}

function macroNames(args: unknown): string[] {
  if (!Array.isArray(args) || !LOOPS.includes(String(args[0]))) return [];
  const [, , parameters] = args as unknown[];
  const first: unknown = Array.isArray(parameters) ? parameters[0] : undefined;
  return isNode(first) && first.op === 'id' ? [String(first.args)] : [];
}
