import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/plan/json.ts';
import { readPlanFile } from '../../src/service/plan-file.ts';
import { checkCases } from './plan-file-marks.ts';

const plan = (top: string, tasks: string) => `plan: 1\nname: x\n${top}\ntasks:\n${tasks.replace(/^/gm, '  ')}`;
const tasksOf = (text: string) => readPlanFile(text).definition.tasks;
const withOf = (text: string, i = 0) => tasksOf(text)[i]!.with as JsonObject;

test('what a plan says once reaches its tasks, those in maps and sub-plans included; a task adds to it, or says otherwise', () => {
  const text = plan(
    'working_directory: app\nenv_file: .env\nsecrets: [A]',
    `a: { run: x }
b: { run: x, working_directory: sub, env_file: [more.env], secrets: [B, A] }
c: { wait: 1s }
d: { map: { in: [1], task: { run: x } } }
e: { plan: { steps: [{ run: x }] } }`,
  );
  const all = { script: 'x', working_directory: 'app', env_file: ['.env'], secrets: ['A'] };
  expect(withOf(text, 0)).toEqual(all);
  expect(withOf(text, 1)).toEqual({
    script: 'x',
    working_directory: 'sub',
    env_file: ['.env', 'more.env'],
    secrets: ['A', 'B'],
  });
  expect(withOf(text, 2)).toBe('1s');
  expect(withOf(text, 3)).toMatchObject({ task: { with: all } });
  expect(withOf(text, 4)).toMatchObject({ definition: { tasks: [{ with: all }] } });
});

test('an http task has the secrets that its words read, and no others', () => {
  const text = plan(
    'secrets: [A, B]',
    'a: { http: { url: "https://x.org/${{ secrets.C }}", headers: { h: "${{ secrets[\'A\'] }}" } }, secrets: [C, D] }\nb: { http: "https://x.org" }',
  );
  expect(withOf(text, 0)).toMatchObject({ secrets: ['C', 'A'], url: 'https://x.org/${{ secrets.C }}' });
  expect(withOf(text, 1)).not.toHaveProperty('secrets');
});

test('each decides whether finished work is reused; a plan without them is what it was', () => {
  const marks = ['', 'working_directory: a', 'env_file: a', 'secrets: [A]', 'secrets: [B]'].map(
    (top) => tasksOf(plan(top, 'a: { run: x }'))[0]!.fingerprint,
  );
  expect(new Set(marks).size).toBe(marks.length);
  expect(marks[0]).toBe('1fc8eec2de9825da');
});

const ELSEWHERE =
  'expressions read secrets in the words of `http` only; a script has those that its task names in `secrets` as variables: $NAME';
describe('wrong ones are told', () =>
  checkCases([
    [
      plan('working_directory: ¦"${{ inputs.x }}"\nenv_file: [¦"", ¦"${{ x }}"]', 'a: { run: x }'),
      "is the same for all tasks; expressions stand in a task's own",
      'is empty; remove it',
      'expressions are not filled in here',
    ],
    [
      plan('secrets: [¦a-b, ¦HOLDPOINT_X]', 'a: { run: x, secrets: ¦[] }'),
      'a secret is named with letters, digits and "_"',
      'names that begin with HOLDPOINT_ are taken',
      'names no secret; remove it',
    ],
    [
      plan('', 'a: { wait: 1s, ¦secrets: [A] }\nb: { map: { in: [1], task: { run: x } }, ¦secrets: [A] }'),
      '`secrets` is for `run` and `http`, and this is `wait`; remove it',
      "`secrets` belongs to the map's `task`",
    ],
    [
      plan(
        'inputs: { v: { default: a } }\nsecrets: [TOKEN]',
        'a: { http: "https://x.org/${{ ¦secrets.TOKNE }}" }\nb: { http: "https://x.org/${{ ¦secrets[inputs.v] }}" }',
      ),
      '"TOKNE" is not among the `secrets` of the task or of the plan; did you mean "TOKEN"?',
      '`secrets` has to be followed by a name that stands there: secrets.NAME',
    ],
    [
      plan('secrets: [T]', 'a: { run: "echo ${{ ¦secrets.T }}" }\nb: { http: "https://x.org", if: "¦secrets.T == 1" }'),
      ELSEWHERE,
      ELSEWHERE,
    ],
  ]));

const file = (task: string) => `plan: 1\nname: x\ninputs: { v: { default: a } }\ntasks:\n  a: ${task}\n`;
describe('habits of other languages are understood, and told', () =>
  checkCases([
    [
      file('{ run: x, if: ¦inputs.v = 1 }'),
      'Unexpected character: =; compare with "==" in the expression `inputs.v = 1`',
    ],
    [
      file('{ run: x, if: ¦inputs.v == 1 & true }'),
      'Unexpected character: &; write "&&" for "and" in the expression `inputs.v == 1 & true`',
    ],
    [
      file('{ run: x, if: ¦inputs.v == 1 and true }'),
      'Unexpected character: \'d\'; write "&&" for "and" in the expression `inputs.v == 1 and true`',
    ],
    [file('{ run: x, if: ¦always() }'), 'there is no function "always"'],
    [file('{ run: "${{ ¦inputs.v.startWith(1) }}" }'), 'there is no function "startWith"; did you mean "startsWith"?'],
    [file('{ run: ¦"${{ }}" }'), 'the expression is empty'],
    [file('{ run: ¦"a\\0b" }'), 'a script cannot hold the character NUL'],
    [
      file('{ set: { a: ¦"\\ud800", b: !!binary ¦aGk= } }'),
      'the text holds half a character (a lone surrogate), which no file or message can hold',
      'the tag tag:yaml.org,2002:binary is not supported; write the value as plain text',
    ],
  ]));
