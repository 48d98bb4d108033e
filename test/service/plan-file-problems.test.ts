import { describe } from 'vitest';
import { checkCases } from './plan-file-marks.ts';

const plan = (text: string) => `plan: 1\nname: x\ntasks: { a: { run: x } }\n${text}\n`;

describe('what the plan says', () =>
  checkCases([
    ['¦', 'the plan file is empty'],
    ['¦# only a comment\n', 'the plan file is empty'],
    ['¦- a', 'a plan file is a map of words such as plan, name and tasks, not a list'],
    ['¦{}', 'write plan: 1, the version of the format', '`name` is missing', '`tasks` is missing; it says what to do'],
    ['plan: ¦2\nfoo: 1', 'this is version 2 of the format; this release of Holdpoint reads version 1'],
    ['plan: ¦"1"\nname: x\ntasks: { a: { run: x } }', 'write plan: 1, the version of the format'],
    ['plan: 1\n¦nmae: x\ntasks: { a: { run: x } }', 'unknown word "nmae"; did you mean "name"?'],
    ['plan: 1\nname: ¦""\ntasks: { a: { run: x } }', 'must not be empty'],
    [`plan: 1\nname: ¦${'x'.repeat(101)}\ntasks: { a: { run: x } }`, 'is longer than 100 characters'],
    [`plan: 1\nname: x\ntasks:\n  ¦${'a'.repeat(1_000)}: { run: x }`, 'a key has at most 256 characters'],
    [
      'plan: 1\nname: x\ntasks: { a: { approve: { prompt: x, options: [¦"a\\nb"] } } }',
      'has control characters, such as line breaks; remove them',
    ],
    ['plan: 1\nname: ¦"a\\nb"\ntasks: { a: { run: x } }', 'has control characters, such as line breaks; remove them'],
    ['plan: 1\nname: x\n¦tasks: {}', 'there has to be at least one task'],
    ['plan: 1\nname: x\ntasks: ¦[{ run: x }]', 'is a list; it has to be a map'],
    [plan('¦steps: [{ run: x }]'), 'write either `tasks` or `steps`, not both'],
    [plan('max_parallel: ¦0'), 'is the number 0; it has to be 1 or more'],
    [plan('max_parallel: ¦501'), 'is the number 501; it has to be 500 or less'],
    [plan('max_parallel: ¦1.5'), 'is the number 1.5; it has to be a whole number'],
    [plan('concurrency: ¦deploy'), 'concurrency is a map, such as { group: deploy, max: 1 }'],
    [plan('¦concurrency: { max: 2 }'), '`group` is missing'],
    [
      plan('concurrency: { group: ¦a/b, max: ¦0 }'),
      'a group is named with letters, digits, "_" and "-", at most 64, not beginning with a digit or "-"',
      'write how many plans of the group may run at once, from 1 to 1000',
    ],
    [
      plan('concurrency: { group: ¦1, max: ¦two }'),
      'a group is named with letters, digits, "_" and "-", at most 64, not beginning with a digit or "-"',
      'write how many plans of the group may run at once, from 1 to 1000',
    ],
    [plan('concurrency: { group: g, ¦maxx: 1 }'), 'unknown word "maxx"; did you mean "max"?'],
    [plan('review: ¦always'), 'is the text "always"; it has to be one of required, none'],
    [
      plan('env: { A: ¦1, ¦B-C: x }'),
      'is the number 1; it has to be text: write "1", in quotes',
      'a variable is named with letters, digits and "_"',
    ],
    [plan('env: { A: ¦true }'), 'is true; it has to be text: write "true", in quotes'],
    [
      plan('env: { A: ¦"${{ inputs.v }}" }'),
      'expressions are not filled in here; write ${{ … }} in the script instead',
    ],
    [
      plan('budget: { max_tokens: ¦many }\ndeadline: ¦soon'),
      'is the text "many"; it has to be a number',
      '"soon" is not a duration; write a duration such as 30s, 5m, 1h30m or 2d',
    ],
    [plan('¦max-parallel: 3'), 'unknown word "max-parallel"; did you mean "max_parallel"?'],
    [
      plan('on_failure: { run: x, ¦llm: y }\nworktree: ¦sure'),
      'a task does one thing, and this one has `run` already; make it two tasks',
      'is the text "sure"; it has to be true or false',
    ],
  ]));

describe('what YAML says', () =>
  checkCases([
    [
      'plan: 1\nname: [x\n¦tasks: a',
      'this is not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
    ['plan: 1\nname: ¦!secret x\ntasks: { a: { run: x } }', 'this is not valid YAML: Unresolved tag: !secret'],
    ['plan: 1\n¦---\nplan: 1', 'a plan file is one document; another one begins here'],
    [
      'plan: 1\nname: x\n¦name: y\ntasks: { a: { run: x, ¦run: y } }',
      '"name" is given twice; keep one',
      '"run" is given twice; keep one',
    ],
    [
      plan('labels: { ¦__proto__: x, ¦constructor: y }'),
      '"__proto__" cannot be a key; choose another name',
      '"constructor" cannot be a key; choose another name',
    ],
    [plan('env: { ¦<<: x }'), 'merge keys (<<) are not supported; write the words out'],
    [plan('description: ¦*what'), '*what repeats nothing: no value before it is marked &what'],
    [plan('labels: { ? ¦[a] : x }'), 'a key has to be a word'],
    [
      plan('max_parallel: ¦12345678901234567890'),
      '12345678901234567890 is not a number that can be kept exactly; write it in quotes',
    ],
    [plan('max_parallel: ¦.inf'), '.inf is not a number that can be kept exactly; write it in quotes'],
    [
      '\uFEFFplan: ¦"1"\r\nname: x\r\ntasks: { a: { run: x } }\r\nmax_parallel: ¦0\r\n',
      'write plan: 1, the version of the format',
      'is the number 0; it has to be 1 or more',
    ],
    [
      '{"plan": 1, "name": "x", "tasks": {"a": {"run": "x",\n  ¦"rnu": "y"}}}',
      'unknown word "rnu"; did you mean "run"?',
    ],
  ]));
