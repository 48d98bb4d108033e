import type { Word } from './ast.ts';

/** `sign` is one character for every kind of token, so that the grammar reads a statement as a short text. */
export interface Token extends Word {
  sign: string;
}

/** Of a token in quotes, what it says. */
export const textOf = (quoted: string): string =>
  quoted
    .slice(1, -1)
    .replace(/\\(u[0-9a-fA-F]{4}|.)/g, (_, escaped: string) =>
      escaped.length > 1 ? String.fromCharCode(Number.parseInt(escaped.slice(1), 16)) : (ESCAPES[escaped] ?? escaped),
    );
const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

export interface Statement {
  /** One at least. */
  tokens: Token[];
  signs: string;
}

interface Misplaced {
  message: string;
  offset: number;
}

export interface Scanned {
  statements: Statement[];
  problems: (Word & { message: string })[];
  /** Where the text ends. */
  end: Word;
}

/** Values within values; nobody writes so many by hand, and the parser's stack is not for ever. */
const DEEPEST = 32;
export const MOST_TOKENS = 20_000;
const MOST_PROBLEMS = 20;

export const NAME = String.raw`[\p{L}_](?:[\p{L}0-9_]|-(?=[\p{L}0-9_]))*`;
/** In the order in which they are tried. */
const TOKENS: [RegExp, sign?: string][] = [
  [/(?:[ \t\r]|;;[^\n]*)+/y, ''],
  [/\n/y, '\n'],
  [new RegExp(NAME, 'uy'), 'n'],
  [/-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\p{L}0-9_]|[-:.+][\p{L}0-9_])/uy, '0'],
  [/[0-9][\p{L}0-9_]*(?:[-:+.][\p{L}0-9_]+)*/uy, 'w'],
  [/"(?:[^"\\\n]|\\(?:["'\\/bfnrt]|u[0-9a-fA-F]{4}))*"|'(?:[^'\\\n]|\\(?:["'\\/bfnrt]|u[0-9a-fA-F]{4}))*'/y, 's'],
  [/=>/y, 'A'],
  [/[<>!=]=|<(?!<)|>/y, 'c'],
  [/[{}[\](),.^:=~-]/y],
];
const CLOSING: Record<string, string> = { '(': ')', '[': ']', '{': '}' };

/**
 * Cuts a program into tokens, and those into statements: a line is one, but within brackets, after "," and "=>", and before
 * a line that begins with a step such as ".limit(3)".
 */
export function scan(text: string): Scanned {
  const placeOf = places(text);
  const problems: Misplaced[] = [];
  const statements: Statement[] = [];
  const open: { mark: string; offset: number }[] = [];
  let tokens: Token[] = [];
  let [count, lineEnded] = [0, false];

  const end = () => {
    const [first, second] = tokens;
    if (first?.text === 'return' && second?.sign !== '=') first.sign = 'R';
    if (first) statements.push({ tokens, signs: tokens.map(({ sign }) => sign).join('') });
    tokens = [];
    lineEnded = false;
  };
  const put = (sign: string, word: string, offset: number) => {
    if (lineEnded && open.length === 0 && !goesOn(tokens.at(-1)?.sign, sign)) end();
    lineEnded = false;
    tokens.push({ sign, text: word, ...placeOf(offset) });
  };

  for (let at = 0; at < text.length && problems.length < MOST_PROBLEMS; ) {
    const found = tokenAt(text, at);
    if (!found) {
      const { message, skip } = noToken(text, at);
      problems.push({ message, offset: at });
      at += skip;
      continue;
    }
    const { sign, word } = found;
    if (sign === '\n') lineEnded = true;
    else if (sign !== '') {
      put(sign, word, at);
      const problem =
        ++count > MOST_TOKENS
          ? `a program has at most ${MOST_TOKENS} words and signs`
          : (wrongIn(sign, word) ?? nest(sign, at, open));
      if (problem !== undefined) {
        problems.push({ message: problem, offset: at });
        if (count > MOST_TOKENS || open.length > DEEPEST) break;
      }
    }
    at += word.length;
  }
  // What else stands in brackets that are never closed cannot be told apart: the outermost one is told.
  const [unclosed] = open;
  if (unclosed && problems.length === 0)
    problems.push({
      message: `this "${unclosed.mark}" is never closed: "${CLOSING[unclosed.mark]}" is missing`,
      offset: unclosed.offset,
    });
  else end();
  const told = problems.map(({ message, offset }) => ({ message, text: '', ...placeOf(offset) }));
  return { statements, problems: told, end: { text: '', ...placeOf(text.length) } };
}

function tokenAt(text: string, at: number): { sign: string; word: string } | undefined {
  for (const [pattern, sign] of TOKENS) {
    pattern.lastIndex = at;
    const word = pattern.exec(text)?.[0];
    if (word !== undefined) return { word, sign: sign ?? word };
  }
  return undefined;
}

/** No statement begins with these. */
const GOES_ON = ['.', '[', '{', 'A', ','];
const goesOn = (last: string | undefined, next: string): boolean =>
  last === ',' || last === 'A' || GOES_ON.includes(next);

const wrongIn = (sign: string, word: string): string | undefined =>
  sign === 's' && /\p{Surrogate}/u.test(textOf(word))
    ? 'the text holds half a character (a lone surrogate), which no message can hold'
    : undefined;

/** Keeps the open brackets; says what is wrong with this one. */
function nest(sign: string, offset: number, open: { mark: string; offset: number }[]): string | undefined {
  if (CLOSING[sign] !== undefined) {
    open.push({ mark: sign, offset });
    return open.length > DEEPEST ? `nested deeper than ${DEEPEST} levels` : undefined;
  }
  if (!Object.values(CLOSING).includes(sign)) return undefined;
  const last = open.pop();
  if (!last) return `this "${sign}" closes nothing`;
  return CLOSING[last.mark] === sign ? undefined : `"${CLOSING[last.mark]}" is expected here, not "${sign}"`;
}

/** What people write by the habits of other languages, and what looks like something else. */
const HINTS: [RegExp, (found: string) => string][] = [
  [
    /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y,
    () => 'in a text a \\ stands before a quotation mark, before \\, n, r, t, b or f, or before u and four hex digits',
  ],
  [/<<\p{L}+/uy, () => 'a text over several lines (<<TAG) is not supported; write it in quotes, with \\n'],
  [/["']/y, (mark) => `this text is not closed on its line: ${mark} is missing`],
  [/[“”„‘’«»`]/y, (mark) => `${mark} is no quotation mark here; write "`],
  [/;/y, () => 'a comment begins with ;;'],
  [/&&|&/y, () => 'predicates are joined by a comma'],
  [/\|\|?/y, () => '"or" is not supported; for one of several values write field = [a, b]'],
  [/!/y, () => 'not equal is written !='],
  [/#|\/\//y, () => 'a comment begins with ;;'],
];

function noToken(text: string, at: number): { message: string; skip: number } {
  for (const [pattern, message] of HINTS) {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found === undefined) continue;
    const lineEnd = text.indexOf('\n', at);
    return {
      message: message(found),
      skip: /["'“”„‘’«»`<]/.test(found) ? (lineEnd < 0 ? text.length : lineEnd) - at : found.length,
    };
  }
  const character = String.fromCodePoint(text.codePointAt(at)!);
  const shown = /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character) ? character : `U+${hex(character)}`;
  return { message: `${shown} has no meaning in a program; in a text it stands in quotes`, skip: character.length };
}

const hex = (character: string): string => character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');

/** Offsets must come in order but for those told at the end. */
function places(text: string): (offset: number) => { line: number; column: number } {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  };
}
