import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Fault } from '../../src/faults.ts';
import { type ReadOptions, readPlanFile } from '../../src/service/plan-file.ts';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../fixtures/workflow-files', name), 'utf8');

/** Every problem, as `line:column message`. */
function problems(text: string, options: ReadOptions = {}): string[] {
  try {
    readPlanFile(text, options);
    return [];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.errors!.map(({ line, column, message }) => `${line}:${column} ${message}`);
  }
}

describe('files with what other files of this style have', () => {
  test.each([
    ['sequential-resume.yml', ['shell', 'shell', 'shell']],
    ['debug.yml', ['shell', 'claude']],
    ['build-pipeline.yml', ['shell', 'shell', 'shell']],
    ['conditional-flow.yml', ['shell', 'shell', 'shell', 'shell', 'shell']],
    ['masking.yml', ['shell']],
  ])('%s is a plan', (name, kinds) => {
    const { definition, permissions } = readPlanFile(fixture(name));
    expect(definition.tasks.map(({ kind }) => kind)).toEqual(kinds);
    expect(definition.tasks.map(({ needs }) => needs)).toEqual(kinds.map((_, i) => (i > 0 ? [i - 1] : [])));
    expect(permissions).toEqual(['plan:run_commands']);
  });

  test.each([
    [
      'implement.yml',
      [
        '4:5 `validate` is not supported: write a step that checks, with an `on_failure` that mends',
        '15:1 `merge` is not supported: write its commands as the last steps',
      ],
    ],
    ['exit-codes.yml', [/^3:5 `on_exit_code` is not supported: capture the step/]],
    [
      'environment.yml',
      [
        /^5:5 `command` values are not supported: run it in a `shell:` step/,
        /^8:5 `condition` values are not supported/,
        /^12:5 `secret` values do not stand in files/,
        /^17:5 providers are not supported: write "\$\{env:OTHER\}"/,
        /^21:1 `profiles` is not supported/,
        /^31:5 `temporary` is not supported/,
        /^32:5 `clear_env` is not supported/,
      ],
    ],
    [
      'minimal-mapreduce.yml',
      [
        '2:7 map-reduce files are not supported: write a plan file with a `map` task',
        /^3:1 `setup` belongs to map-reduce/,
        /^5:1 `map` belongs/,
        /^10:1 `reduce` belongs/,
      ],
    ],
    [
      'mapreduce-environment.yml',
      [/^2:7 map-reduce/, /^5:8 `secret` values/, /^6:1 `map`/, /^13:1 `merge`/, /^16:1 `error_policy`/],
    ],
    ['filtered-mapreduce.yml', [/^2:7 map-reduce/, /^3:1 `map`/, /^11:1 `reduce`/]],
    ['coverage.yml', [/^2:5 `analyze` is not supported: write a `shell:` step/, /^6:5 `outputs` is not supported/]],
  ] as [string, (string | RegExp)[]][])('%s is refused, by name', (name, expected) => {
    expect(problems(fixture(name))).toEqual(
      expected.map((one) => (typeof one === 'string' ? one : expect.stringMatching(one))),
    );
  });
});

describe('what is wrong has its place, and says what to do', () => {
  test.each([
    [
      'a misspelt word',
      '- shell: ls\n  capture_ouput: x\n',
      ['2:3 unknown word "capture_ouput"; did you mean "capture_output"?'],
    ],
    ['a misspelt action', 'commands:\n  - shel: ls\n', ['2:5 unknown word "shel"; did you mean "shell"?']],
    [
      'a misspelt word of the file',
      'comands: []\ncommands: [{ shell: ls }]\n',
      ['1:1 unknown word "comands"; did you mean "commands"?'],
    ],
    [
      'a word like one that is not supported',
      '- shell: ls\n  validte: x\n',
      [
        '2:3 unknown word "validte"; `validate`, if that was meant, is not supported: write a step that checks, with an `on_failure` that mends',
      ],
    ],
    [
      'a word like no other',
      '- shell: ls\n  colour: x\n',
      [/^2:3 unknown word "colour"; known here: shell, claude, id, /],
    ],
    [
      'in a list of on_failure',
      '- shell: ls\n  on_failure:\n    - shell: a\n    - shell: b\n      capture_ouput: c\n    - claud: d\n',
      [
        '5:7 unknown word "capture_ouput"; did you mean "capture_output"?',
        '6:7 unknown word "claud"; did you mean "claude"?',
      ],
    ],
    [
      'deep in handlers',
      '- shell: a\n  on_success:\n    shell: b\n    on_failure: { shell: c, on_success: [{ shell: d, timeout: soon }] }\n',
      [/^4:63 is the text "soon"; it has to be a number of seconds/],
    ],
    [
      'two actions',
      '- shell: ls\n  claude: x\n',
      ['2:3 a step does one thing, and this one has `shell` already; make it two steps'],
    ],
    ['no action', '- name: nothing\n- shell: ls\n', ['1:3 the step does nothing; it has to have `shell` or `claude`']],
    [
      'an older form',
      'commands: [implement, { shell: ls }]\n',
      ['1:12 a step that is only a text is an older form: write claude: "/implement"'],
    ],
    ['another older form', 'commands:\n  - name: implement\n    args: [x]\n', [/^3:5 `args` is an older form/]],
    ['goal_seek', '- goal_seek: { goal: x }\n', [/^1:3 `goal_seek` is not supported/]],
    [
      'foreach',
      '- foreach: [a]\n  do: [{ shell: ls }]\n',
      [/^1:3 `foreach` is not supported/, /^2:3 `do` belongs to `foreach`/],
    ],
    [
      'a retry with an on_failure',
      '- shell: ls\n  retry: { attempts: 2 }\n  on_failure: true\n',
      [/^2:3 `retry` and `on_failure` in one step are not supported/],
    ],
    [
      'a form of retry',
      '- shell: ls\n  retry: { attempts: 2, jitter: true, backoff: linear, initial_delay: soon }\n',
      [
        /^2:25 `jitter` is not supported/,
        /^2:48 is the text "linear"; it has to be exponential or fixed/,
        /^2:71 is the text "soon"; write a duration/,
      ],
    ],
    ['a condition', '- shell: ls\n  when: "${x} = 1"\n', [/^2:9 this condition cannot be read: "= 1" cannot be read/]],
    ['a condition that is not closed', '- shell: ls\n  when: "(${x} == 1"\n', [/a parenthesis is not closed/]],
    [
      'ids',
      '- { shell: a, id: x }\n- { shell: b, id: x }\n- { shell: c, id: shell }\n- { shell: d, id: "a b" }\n',
      [
        /^2:19 the id "x" is taken/,
        /^3:19 "shell" cannot be a step's id; it has a meaning/,
        /^4:19 "a b" cannot be a step's id; ids have/,
      ],
    ],
    [
      'captures',
      '- shell: a\n  capture_format: json\n- { shell: b, capture: x, capture_format: xml }\n- { shell: c, capture: ARG }\n',
      [
        /^2:3 `capture_format` needs a variable/,
        /^3:43 is "xml"; it has to be one of/,
        /^4:24 "ARG" cannot be a variable/,
      ],
    ],
    [
      'env',
      'env: { PORT: 8080, "A-B": x }\ncommands: [{ shell: ls, env: { X: true } }]\n',
      [
        /^1:14 is the number 8080; it has to be text: write "8080", in quotes/,
        /^1:20 a variable is named/,
        /^2:35 is true/,
      ],
    ],
    [
      'a secret of another name',
      'secrets: { A: "${env:B}" }\ncommands: [{ shell: ls }]\n',
      [/^1:15 takes the value of B; a secret has one name/],
    ],
    [
      'values that are not there',
      '- shell: |\n    echo ok\n    echo ${map.total} ${step.commits} ${file:x.txt} ${x:3}\n- claude: /x ${item.path}\n',
      [
        /^3:10 \$\{map.total\} belongs/,
        /^3:23 \$\{step.commits\} is not supported/,
        /^3:39 \$\{file:x.txt\} is not supported/,
        /^4:14 \$\{item.path\} belongs/,
      ],
    ],
    ['two lists', 'commands: [{ shell: a }]\nsteps: [{ shell: b }]\n', [/^2:1 write either `commands` or `steps`/]],
    ['an empty list', 'commands: []\n', [/there has to be at least one step/]],
    ['a mode', 'mode: fast\ncommands: [{ shell: a }]\n', [/^1:7 is the text "fast"; the one mode/]],
    [
      'all of it at once',
      '- shel: a\n- shell: b\n  timout: 3\n- shell: 5\n',
      [/^1:3/, /^3:3 unknown word "timout"; did you mean "timeout"/, /^4:10 is the number 5; it has to be text/],
    ],
  ] as [string, string, (string | RegExp)[]][])('%s', (_, text, expected) => {
    expect(problems(text)).toEqual(expected.map((one) => (typeof one === 'string' ? one : expect.stringMatching(one))));
  });

  test.each([
    ['a value with a colon and a blank', '- shell: echo a: b\n', /^1:\d+ this is not valid YAML/],
    ['a text that goes on after its quote', '- claude: "/do" --all\n- shell: ls\n', /^1:\d+ this is not valid YAML/],
    [
      'a list that is not indented like its map',
      'commands:\n    - shell: a\n  - shell: b\n',
      /^3:\d+ this is not valid YAML/,
    ],
  ])('no YAML: %s', (_, text, expected) => {
    expect(problems(text)[0]).toMatch(expected);
  });
});

describe('what is a workflow file', () => {
  test.each([
    ['a plan file with steps', 'plan: 1\nname: x\nsteps: [{ run: ls }]\n', ['run']],
    ['steps of its own kind', 'steps: [{ shell: ls }]\n', ['shell']],
  ])('%s', (_, text, kinds) => {
    expect(readPlanFile(text).definition.tasks.map(({ kind }) => kind)).toEqual(kinds);
  });

  test('words of its steps are no words of plan files', () => {
    expect(problems('plan: 1\nname: x\nsteps: [{ shell: ls }]\n')[0]).toMatch(/^3:11 unknown word "shell"/);
    expect(problems('plan: 1\nname: x\nsteps: [{ run: ls, if: "step_when(1)" }]\n')[0]).toContain(
      'no function "step_when"',
    );
  });

  test('texts of plan files are left as they are', () => {
    const [task] = readPlanFile('- shell: echo ${{ github.ref }}\n').definition.tasks;
    expect(task!.with).toMatchObject({ command: { text: 'echo ${{ github.ref }}' } });
  });
});

describe('inputs', () => {
  const text = '- shell: echo $ARG\n';

  test('values and patterns make iterations', () => {
    const { definition, inputs } = readPlanFile(text, { inputs: { args: ['a', 'b'], map: 'docs/*.md' } });
    expect(inputs).toEqual({ args: ['a', 'b'], map: ['docs/*.md'] });
    expect(definition.tasks.map(({ kind }) => kind)).toEqual(['iterations', 'map']);
  });

  test('those of the run before stand in', () => {
    expect(readPlanFile(text, { kept: { args: ['a'] } }).inputs).toEqual({ args: ['a'] });
  });

  test.each([
    [{ arg: 'x' }, 'a workflow file has no input "arg"; what it can be given is args and map'],
    [{ args: { a: 1 } }, 'is a map; it has to be text, or a list of texts'],
    [{ map: '../*.md' }, '"../*.md" must not lead out of the working directory'],
  ])('%j is refused', (inputs, message) => {
    expect(problems(text, { inputs })).toEqual([`undefined:undefined ${message}`]);
  });
});

test('what a step reads of earlier ones decides what makes it run again, and no other', () => {
  const marks = (text: string) => readPlanFile(text).definition.tasks.map(({ fingerprint }) => fingerprint);
  const [first, second] = marks('- shell: a\n- shell: b\n');
  const [same, other] = marks('- shell: a\n- shell: c\n');
  expect(same).toBe(first);
  expect(other).not.toBe(second);
});
