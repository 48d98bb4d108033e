import type { Json, JsonObject } from '../json.ts';
import { givenBy, piecesOf } from './references.ts';
import { type Earlier, type Variables, variablesFrom } from './variables.ts';

/** The conditions of steps: `==, !=, <, <=, >, >=, contains, !, &&, ||` and parentheses. What is not there is false. */

type Token = { sign: string } | { operand: Operand };
type Operand = { path: string[]; otherwise?: string; text?: string } | { value: Json };

/** What is wrong with a condition; undefined when nothing is. */
export function whenFault(text: string): string | undefined {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The names that a condition reads. */
export const whenReads = (text: string): string[] =>
  tokensOf(text).flatMap((token) => ('operand' in token && 'path' in token.operand ? [token.operand.path[0]!] : []));

/** The function by which a task's condition asks; `before` is JSON: a list of `Earlier`. */
export function stepWhen(text: string, before: string, iteration: JsonObject, outputs: JsonObject): boolean {
  const earlier = JSON.parse(before) as Earlier[];
  return holds(
    text,
    variablesFrom(givenBy(iteration), earlier, (task) => outputs[task] as JsonObject | undefined),
  );
}

export const holds = (text: string, variables: Variables): boolean => parse(text)(variables);

type Condition = (variables: Variables) => boolean;

function parse(text: string): Condition {
  const tokens = tokensOf(text);
  let at = 0;
  const sign = () => {
    const token = tokens[at];
    return token && 'sign' in token ? token.sign : undefined;
  };
  const either = (): Condition => {
    const parts = [both()];
    while (sign() === '||') {
      at++;
      parts.push(both());
    }
    return parts.length === 1 ? parts[0]! : (variables) => parts.some((part) => part(variables));
  };
  const both = (): Condition => {
    const parts = [one()];
    while (sign() === '&&') {
      at++;
      parts.push(one());
    }
    return parts.length === 1 ? parts[0]! : (variables) => parts.every((part) => part(variables));
  };
  const one = (): Condition => {
    if (sign() === '!') {
      at++;
      const inner = one();
      return (variables) => !inner(variables);
    }
    if (sign() === '(') {
      at++;
      const inner = either();
      if (sign() !== ')') throw new Error('a parenthesis is not closed');
      at++;
      return inner;
    }
    const left = operand();
    const compare = COMPARISONS[sign() ?? ''];
    if (!compare) return (variables) => isTrue(asValue(left, variables, false));
    at++;
    const right = operand();
    return (variables) => {
      const [a, b] = [asValue(left, variables, true), asValue(right, variables, true)];
      return a !== undefined && b !== undefined && compare(a, b);
    };
  };
  const operand = (): Operand => {
    const token = tokens[at];
    if (!token) throw new Error('it ends where a value should stand');
    if ('sign' in token) throw new Error(`\`${token.sign}\` stands where a value should`);
    at++;
    return token.operand;
  };
  const condition = either();
  const rest = tokens[at];
  if (rest)
    throw new Error(
      'sign' in rest
        ? `\`${rest.sign}\` is one too many`
        : 'two values follow each other; put ==, &&, or another sign between them',
    );
  return condition;
}

const TOKEN =
  /\s*(?:(\$\{[^{}\n]*\}|\$(?:ARG|FILE|INDEX|TOTAL)\b)|"([^"]*)"|'([^']*)'|(-?\d+(?:\.\d+)?)(?![\w.])|(==|!=|>=|<=|&&|\|\||[<>!()]|contains\b)|([A-Za-z_][\w.[\]/-]*))/y;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (text.slice(at).trim() !== '') {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (!found) throw new Error(`${JSON.stringify(text.slice(at).trim().slice(0, 20))} cannot be read`);
    at = TOKEN.lastIndex;
    const [, reference, double, single, number, sign, word] = found;
    if (sign !== undefined) tokens.push({ sign });
    else tokens.push({ operand: operandOf(reference, double ?? single, number, word) });
  }
  return tokens;
}

function operandOf(reference?: string, quoted?: string, number?: string, word?: string): Operand {
  if (number !== undefined) return { value: Number(number) };
  if (quoted !== undefined) {
    // `"${name}" == "x"`: the whole of it is a value.
    const [only, second] = piecesOf(quoted);
    return only && 'path' in only && !second ? operandOf(quoted) : { value: quoted };
  }
  if (word !== undefined)
    return word === 'true' || word === 'false'
      ? { value: word === 'true' }
      : { path: Array.from(word.matchAll(/[\w-]+/g), ([part]) => part), text: word };
  const [only] = piecesOf(reference!);
  if (!only || !('path' in only)) throw new Error(`${reference} is no value that can be read`);
  return { path: only.path, ...(only.fallback && { otherwise: only.fallback.text }) };
}

/** A bare word that is no variable is a text, where it is compared with something. */
function asValue(operand: Operand, variables: Variables, compared: boolean): Json | undefined {
  if ('value' in operand) return operand.value;
  const found = variables.read(operand.path);
  const missing = operand.otherwise ?? (compared ? operand.text : undefined);
  return found === undefined || (found === '' && operand.otherwise !== undefined) ? missing : found;
}

const COMPARISONS: Record<string, (a: Json, b: Json) => boolean> = {
  '==': (a, b) => same(a, b),
  '!=': (a, b) => !same(a, b),
  '>': (a, b) => order(a, b) > 0,
  '>=': (a, b) => order(a, b) >= 0,
  '<': (a, b) => order(a, b) < 0,
  '<=': (a, b) => order(a, b) <= 0,
  contains: (a, b) => (Array.isArray(a) ? a.some((item) => same(item, b)) : asText(a).includes(asText(b))),
};

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** NaN for what is no number: `5 > "five"` is false, and so is its opposite. */
const numberOf = (value: Json): number =>
  typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;

function same(a: Json, b: Json): boolean {
  const [x, y] = [numberOf(a), numberOf(b)];
  return Number.isNaN(x) || Number.isNaN(y) ? asText(a) === asText(b) : x === y;
}

const order = (a: Json, b: Json): number => numberOf(a) - numberOf(b);

function isTrue(value: Json | undefined): boolean {
  if (typeof value === 'string') return !['', 'false', '0'].includes(value.trim());
  return Boolean(value);
}
