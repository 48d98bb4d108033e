import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pathAt, wordsAt } from '../../src/console/ui/editor/words.ts';

const schema = JSON.parse(readFileSync(join(import.meta.dirname, '../../schema/plan-1.schema.json'), 'utf8'));
const offered = (before: string) => [...wordsAt(schema, pathAt(before)).keys()];

test.each([
  ['the top', 'plan: 1\n', []],
  ['a task', 'plan: 1\ntasks:\n  a:\n    run: ls\n    ', ['tasks', 'a']],
  ['a task after another', 'tasks:\n  a:\n    retry:\n      delay: 1s\n  b:\n    ', ['tasks', 'b']],
  ['a map in braces', 'tasks:\n  a: { run: ls, retry: { ', ['tasks', 'a', 'retry']],
  ['a brace that is closed', 'tasks:\n  a: { retry: { delay: 1s }, ', ['tasks', 'a']],
  ['a step that begins', 'steps:\n  - ', ['steps', '[]']],
  ['a step', 'steps:\n  - id: a\n    run: ls\n    ', ['steps', '[]']],
  ['a step without indentation', 'steps:\n- id: a\n- ', ['steps', '[]']],
  ['within a step', 'steps:\n  - id: a\n    retry:\n      ', ['steps', '[]', 'retry']],
  ['a step in braces', 'steps:\n  - { id: a, ', ['steps', '[]']],
  [
    'a task of a sub-plan',
    'tasks:\n  b:\n    plan:\n      tasks:\n        c:\n          ',
    ['tasks', 'b', 'plan', 'tasks', 'c'],
  ],
])('the place is known in %s', (_, before, path) => expect(pathAt(before)).toEqual(path));

test('words are those of the format, at each place', () => {
  expect(offered('plan: 1\n')).toEqual(expect.arrayContaining(['name', 'tasks', 'deadline']));
  expect(offered('tasks:\n  a:\n    ')).toEqual(expect.arrayContaining(['run', 'approve', 'needs']));
  expect(offered('tasks:\n  a: { retry: { ')).toEqual(expect.arrayContaining(['max_attempts', 'delay']));
  expect(offered('steps:\n  - ')).toEqual(expect.arrayContaining(['id', 'run']));
  expect(offered('tasks:\n  m:\n    map:\n      task:\n        ')).toContain('run');
  expect(offered('tasks:\n  ')).toEqual([]);
});
