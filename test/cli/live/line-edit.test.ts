import { expect, test } from 'vitest';
import { edited, lineOf } from '../../../src/cli/live/line-edit.ts';

test.each<[string, string, string[], string, number]>([
  ['types at the end', 'ab', ['c'], 'abc', 3],
  ['types in the middle', 'ac', ['left', 'b'], 'abc', 2],
  ['removes whole characters', 'a👩‍👩‍👧e\u0301', ['backspace', 'backspace'], 'a', 1],
  ['removes what is under the cursor', 'abc', ['home', 'delete'], 'bc', 0],
  ['removes a word', 'two words ', ['ctrl+w'], 'two ', 4],
  ['removes all before the cursor', 'abc', ['left', 'ctrl+u'], 'c', 0],
  ['removes all after the cursor', 'abc', ['home', 'ctrl+k'], '', 0],
  ['does not leave the line', 'a', ['left', 'left', 'left', 'end', 'right'], 'a', 1],
  ['takes no control characters', 'a', ['\u001B'], 'a', 1],
])('%s', (_, text, keys, result, at) => {
  const line = keys.reduce((before, key) => {
    const ctrl = key.startsWith('ctrl+');
    const name = key.replace('ctrl+', '');
    return edited(before, { name, text: [...name].length === 1 && !ctrl ? name : '', ctrl });
  }, lineOf(text));
  expect(line).toEqual({ text: result, at });
});
