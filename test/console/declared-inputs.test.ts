import { expect, test } from 'vitest';
import { declaredInputs } from '../../src/console/new-plan/declared-inputs.ts';
import { isOfInput } from '../../src/console/new-plan/of-input.ts';
import { problemsOf } from '../service/plan-file-marks.ts';

const TASKS = 'tasks:\n  a: { run: echo 1 }\n';

test('what a file declares becomes a form: types, choices, defaults, and what has to be given', async () => {
  const text = `plan: 1
name: x
inputs:
  where: { enum: [eu, us], default: eu, description: Where to }

  # a comment in between
  many: { type: integer }
  maybe: { type: boolean, required: false }
  sure: { type: string, default: x, required: true }
${TASKS}`;
  expect(await declaredInputs(text)).toEqual({
    type: 'object',
    properties: {
      where: { type: 'string', enum: ['eu', 'us'], default: 'eu', description: 'Where to' },
      many: { type: 'integer' },
      maybe: { type: 'boolean' },
      sure: { type: 'string' },
    },
    required: ['many', 'sure'],
  });
});

test.each([
  ['JSON', '{"plan": 1, "name": "x", "inputs": {"a": {"type": "number"}}, "tasks": {}}'],
  ['a flow map over lines', '{\n  plan: 1,\n  inputs: { a: { type: number } },\n}\n'],
  ['an anchor elsewhere', 'plan: 1\nlabels: &n { type: number }\ninputs:\n  a: *n\n'],
  ['inputs at the end', 'plan: 1\ntasks: {}\ninputs:\n  a:\n    type: number'],
])('inputs are found in %s', async (_, text) => {
  expect((await declaredInputs(text))?.properties).toEqual({ a: { type: 'number' } });
});

test('a file without inputs has no form, one with none that can be read neither', async () => {
  expect(await declaredInputs(`plan: 1\n${TASKS}`)).toBeUndefined();
  expect(await declaredInputs('plan: 1\ninputs: none\n')).toBeUndefined();
  expect(await declaredInputs('')).toBeUndefined();
});

test('a workflow file takes args and map', async () => {
  expect(Object.keys((await declaredInputs('name: x\nsteps:\n  - shell: ls\n'))!.properties!)).toEqual(['args', 'map']);
});

test('what is said about a value that is missing or wrong belongs to the form, and all else to the file', async () => {
  const text = `plan: 1\nname: x\ninputs:\n  n: { type: integer }\n  m: { type: integer, default: x }\n${TASKS}`;
  const schema = await declaredInputs(text);
  const about = (given: { n?: string }) =>
    problemsOf(text, given).map((problem) => [problem.path.join('.'), isOfInput(problem, schema, given)]);
  expect(about({})).toEqual([
    ['inputs.n', true],
    ['inputs.m.default', false],
  ]);
  expect(about({ n: 'one' })).toEqual([
    ['inputs.n', true],
    ['inputs.m.default', false],
  ]);
});
