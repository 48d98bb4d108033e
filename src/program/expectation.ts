import type { Place, Word } from './ast.ts';
import type { Unreadable } from './grammar.ts';
import { quote } from './problems.ts';
import type { Statement } from './tokens.ts';

/** What signs are called where they were expected, in the order in which they are told. */
const CALLED: [signs: string[], called: string][] = [
  [['R'], 'return'],
  [['0', 's', 'w'], 'a value'],
  [['n'], 'a name'],
  [['c'], 'a comparison such as >='],
  [['['], 'a step such as .limit(3)'],
  [['A'], '"=>"'],
  [['end of input'], 'the end of the line'],
];
/** What is told in the words of others: a name and a list are values, too; "=" and "~" are comparisons. */
const COVERED: Record<string, string[]> = {
  s: ['n', '[', '-'],
  c: ['=', '~'],
  '[': ['.', '{', 'A', ',', '=', '~', '('],
};

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
  return [place, hint ?? `expected ${oneOf(namesOf(expected))}, found ${what}`];
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

function namesOf(expected: readonly string[]): string[] {
  const covered = new Set(expected.flatMap((sign) => (Object.hasOwn(COVERED, sign) ? COVERED[sign]! : [])));
  // A value that could be a field of something, and the rows of a step alike, could go on with a dot.
  const signs = expected.filter((sign) => !covered.has(sign) && !(sign === '.' && expected.length > 1));
  const called = CALLED.filter(([some]) => some.some((sign) => signs.includes(sign))).map(([, name]) => name);
  const others = signs.filter((sign) => !CALLED.some(([some]) => some.includes(sign))).map((sign) => `"${sign}"`);
  return [...called.filter((name) => name !== END), ...others.sort(), ...called.filter((name) => name === END)];
}
const END = 'the end of the line';

const oneOf = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? 'something else') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

const afterOf = ({ line, column, text }: Word): Place => ({ line, column: column + text.length });
