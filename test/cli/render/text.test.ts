import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { count, firstLines, oneLine, shellWord } from '../../../src/cli/render/text.ts';

test.each([
  ['two\nlines', 'two lines'],
  ['\u001b[31mred\u001b[0m and \u001b]0;title\u0007more', 'red and more'],
  ['bell\u0007 back\u0008', 'bell back'],
  ['  spaced   out ', 'spaced out'],
])('%j as one line is %j', (text, line) => expect(oneLine(text)).toBe(line));

test('a long line is cut', () => expect(oneLine('abcdef', 3)).toBe('abc…'));

describe('the first lines of an output', () => {
  test.each([
    ['one\n', ['one']],
    ['  indented\n\tmore\r\n', ['  indented', '  more']],
    ['1\n2\n3\n4', ['1', '2', '… 2 more']],
    ['\u001b[2Jcleared\n', ['cleared']],
  ])('%j', (text, lines) => expect(firstLines(text, 2)).toEqual(lines));
});

test.each([
  'ship',
  'do not ship',
  "it's",
  '$(rm -rf x)',
  '',
  '--help',
  'a"b',
  '!!',
  "tab\t'\\ ü",
  'new\nline',
  'esc\u001b[31m1',
  'to the left \u202e',
])('a shell reads %j back as it is', (word) => {
  expect(shellWord(word)).toBe(oneLine(shellWord(word)));
  expect(execFileSync('bash', ['-c', `printf %s ${shellWord(word)}`], { encoding: 'utf8' })).toBe(word);
});

test.each([
  [0, '0 tasks'],
  [1, '1 task'],
  [2, '2 tasks'],
])('%i is %s', (n, words) => expect(count(n, 'task')).toBe(words));
