import type { Place, Word } from './ast.ts';
import type { Unreadable } from './grammar.ts';
import { quote } from './problems.ts';
import type { Statement } from './tokens.ts';

/** What tokens are called where they were expected. */
const SIGNS: Record<string, string> = { n: 'a name', A: '"=>"', c: 'a comparison such as >=', R: 'return' };
/** All that a value can be, and all that can follow rows, are each told in one word. */
const VALUE = ['0', 's', 'w'];
const FOLLOWS = ['.', '[', '{'];

/** Where a statement cannot be read on, and what should stand there. */
export function expectation(
  { index, expected }: Unreadable,
  { tokens }: Statement,
  next: Statement | undefined,
  end: Word,
): [Place, string] {
  const found = tokens[index];
  const before = tokens[index - 1];
  const place = found ?? afterOf(tokens.at(-1)!);
  const hint = found && HINTS.find(({ when }) => when(found.text, before?.text))?.say;
  const what = found
    ? quote(found.text)
    : next || place.line < end.line
      ? 'the end of the line'
      : 'the end of the program';
  return [place, hint ?? `expected ${oneOf(signsIn(expected))}, found ${what}`];
}

const HINTS: { when(found: string, before: string | undefined): boolean; say: string }[] = [
  { when: (found) => found === '==', say: 'a step is named with one "=": name = …' },
  { when: (found) => /^and$/i.test(found), say: 'predicates are joined by a comma, not by "and"' },
  {
    when: (found) => /^or$/i.test(found),
    say: '"or" is not supported; for one of several values write field = [a, b]',
  },
  {
    when: (found, before) => found === '<' && before === '<',
    say: 'a text over several lines (<<TAG) is not supported; write it in quotes, with \\n',
  },
];

/** The library tells signs in quotes, the rest in words. */
function signsIn(expected: string): string[] {
  const signs = [...expected.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, sign]) => sign!);
  const told = new Set<string>();
  for (const sign of signs) {
    if (VALUE.includes(sign)) told.add('a value');
    else if (FOLLOWS.includes(sign) && signs.includes('.')) told.add('a step such as .limit(3)');
    else told.add(SIGNS[sign] ?? `"${sign}"`);
  }
  // A name is a value, too, and a list of values one more; "=" and "~" are comparisons.
  if (told.has('a value')) for (const part of ['a name', '"["', '"-"']) told.delete(part);
  if (told.has(SIGNS.c!)) for (const part of ['"="', '"~"']) told.delete(part);
  if (/end of input/.test(expected)) told.add('the end of the line');
  return [...told];
}

const oneOf = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? 'something else') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

const afterOf = ({ line, column, text }: Word): Place => ({ line, column: column + text.length });
