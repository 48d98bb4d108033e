import { expect, test } from 'vitest';
import { placesOf } from '../../src/console/plan/file/places.ts';

const places = async (text: string, ...ids: string[]) =>
  Object.fromEntries(Array.from(await placesOf(text, ids), ([id, { line, column }]) => [id, `${line}:${column}`]));

test('tasks are found by their ids, in sub-plans and in the tasks of maps, too', async () => {
  const text = `plan: 1
tasks:
  a: { run: ls }
  build:
    plan:
      tasks:
        push: { run: ls }
  each:
    map:
      in: [1]
      task:
        plan: { tasks: { b: { run: ls } } }
`;
  expect(await places(text, 'a', 'build/push', 'each[3]', 'each[3]/b', 'build/gone', 'none')).toEqual({
    a: '3:3',
    'build/push': '7:9',
    'each[3]': '8:3',
    'each[3]/b': '12:26',
    'build/gone': '4:3',
  });
});

test('steps are found by their ids, or by their numbers', async () => {
  const text = 'plan: 1\nsteps:\n  - run: ls\n  - id: b\n    run: ls\n';
  expect(await places(text, 'step-1', 'b', 'step-2')).toEqual({ 'step-1': '3:5', b: '4:5' });
});

test('handlers are found by their ids, by their kind, or by that and their numbers', async () => {
  const text =
    'plan: 1\ntasks: { a: { run: ls } }\non_failure:\n  - { run: ls }\n  - run: ls\n  - { run: ls, id: f }\nfinally: { run: ls }\n';
  expect(await places(text, 'on_failure', 'on_failure-2', 'f', 'finally')).toEqual({
    on_failure: '4:5',
    'on_failure-2': '5:5',
    f: '6:5',
    finally: '7:10',
  });
});

test('what is no YAML has no places', async () => {
  expect(await places('a: [', 'a')).toEqual({});
});
