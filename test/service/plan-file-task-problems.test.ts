import { describe } from 'vitest';
import { checkCases } from './plan-file-marks.ts';

/** A task of a plan that has `b`, which needs it. */
const task = (text: string) =>
  `plan: 1\nname: x\ninputs: { v: { default: '' }, a-b: { default: '' } }\ntasks:\n  a: ${text}\n  b: { run: x, needs: a }\n`;

const NO_WAIT =
  'is neither a duration nor a time; write a duration such as 30s or 1h30m, a time such as 2026-01-31T09:00:00Z, or an expression that gives one';

describe('what a task says', () =>
  checkCases([
    [task('¦echo'), 'a task is a map, such as { run: "npm test" }'],
    [
      'plan: 1\nname: x\ntasks:\n  ¦1a: { run: x }',
      '"1a" cannot be a task\'s id; ids have letters, digits, "_" and "-", at most 64, not beginning with a digit or "-"',
    ],
    [
      'plan: 1\nname: x\ntasks:\n  ¦a: {}',
      'the task does nothing; it has to have one of run, http, llm, approve, input, checkpoint, wait, set, map, plan',
    ],
    [task('{ run: x, ¦wait: 3s }'), 'a task does one thing, and this one has `run` already; make it two tasks'],
    [task('{ ¦chekpoint: x }'), 'unknown word "chekpoint"; did you mean "checkpoint"?'],
    [task('{ ¦command: x }'), 'unknown word "command"; did you mean "run"?'],
    [
      task('{ run: x, ¦zebra: 1 }'),
      'unknown word "zebra"; known here: run, http, llm, approve, input, checkpoint, wait, set, map, plan, description, needs, if, timeout, retry, on_failure, env, secrets, capture, outputs, working_directory, env_file',
    ],
    [task('{ wait: 3s, ¦secrets: [F] }'), '`secrets` is for `run` and `http`, and this is `wait`; remove it'],
    [
      task('{ run: x, ¦toString: 1 }'),
      'unknown word "toString"; known here: run, http, llm, approve, input, checkpoint, wait, set, map, plan, description, needs, if, timeout, retry, on_failure, env, secrets, capture, outputs, working_directory, env_file',
    ],
    [task('{ run: x, ¦id: y }'), "a task's id is its key under `tasks`; remove `id`"],
    [task('{ run: ¦"" }'), 'a script must not be empty'],
    [task('{ run: ¦[x] }'), 'is a list; it has to be text'],
    [task('{ run: x, timeout: ¦30 }'), 'write a duration such as 30s, 5m, 1h30m or 2d'],
    [task('{ run: x, timeout: ¦30 min }'), '"30 min" is not a duration; write a duration such as 30s, 5m, 1h30m or 2d'],
    [task('{ run: x, timeout: ¦0s }'), 'must be longer than 0'],
    [task('{ run: x, on_failure: ¦fial }'), 'is the text "fial"; it has to be one of fail, hold, continue'],
    [task('{ run: x, retry: ¦0 }'), 'is the number 0; it has to be 1 or more'],
    [task('{ run: x, retry: ¦often }'), 'is the text "often"; it has to be a number or a map'],
    [task('{ run: x, retry: { ¦max_atempts: 3 } }'), 'unknown word "max_atempts"; did you mean "max_attempts"?'],
    [task('{ run: x, ¦retry: { delay: 3s } }'), '`max_attempts` is missing'],
    [task('{ run: x, retry: { max_attempts: 2, delay: 9m, max_delay: ¦5m } }'), 'is shorter than delay'],
    [task('{ wait: 3s, ¦retry: 3 }'), '`retry` does nothing for `wait`, which has no attempts; remove it'],
    [task('{ approve: Go?, ¦timeout: 3s }'), "a question's timeout stands inside `approve`, with on_timeout"],
    [task('{ approve: { ¦promt: Go? } }'), 'unknown word "promt"; did you mean "prompt"?'],
    [task('{ approve: { prompt: Go?, options: ¦[a, a] } }'), 'an option is given twice'],
    [
      task('{ approve: { prompt: Go?, on_timeout: ¦fail } }'),
      'says what happens after a timeout, and there is none; add timeout',
    ],
    [
      task('{ approve: { prompt: Go?, timeout: 3s, on_timeout: ¦ship } }'),
      '"ship" is none of approve, reject, fail, hold',
    ],
    [task('{ wait: ¦soon }'), `"soon" ${NO_WAIT}`],
    [task('{ wait: ¦"2026-01-31T09:00:00" }'), `"2026-01-31T09:00:00" ${NO_WAIT}`],
    [task('{ wait: ¦"2026-13-31T09:00:00Z" }'), `"2026-13-31T09:00:00Z" ${NO_WAIT}`],
    [
      task('{ run: x, retry: { max_attempts: 2, delay: 9m, max_delay: ¦never } }'),
      '"never" is not a duration; write a duration such as 30s, 5m, 1h30m or 2d',
    ],
    [task('{ run: x, env: { A: ¦"a\\0b" } }'), 'a variable cannot hold the character NUL'],
    [
      task('{ approve: { prompt: Go?, options: [y, hold], timeout: 3s, on_timeout: ¦hold } }'),
      '"hold" is one of the options and also a word of its own; call the option something else',
    ],
    [task('{ set: ¦{} }'), 'names at least one value, such as { greeting: hello }'],
  ]));

describe('what needs what', () =>
  checkCases([
    [task('{ run: x, needs: ¦bb }'), 'there is no task "bb"; did you mean "b"?'],
    [task('{ run: x, needs: [¦zebra, ¦lion] }'), 'there is no task "zebra"', 'there is no task "lion"'],
    [task('{ run: "${{ tasks.b.status }}", needs: ¦bb }'), 'there is no task "bb"; did you mean "b"?'],
    [task('{ run: x, needs: ¦a }'), 'a task cannot need itself'],
    [task('{ run: x, needs: ¦[b] }'), 'these tasks need each other: a → b → a'],
    [task('{ run: x, needs: ¦3 }'), 'is the number 3; it has to be text or a list'],
    [
      'plan: 1\nname: x\ntasks:\n  c: { run: x, needs: ¦[d, e] }\n  d: { run: x, needs: c }\n  e: { run: x, needs: ¦f }\n  f: { run: x, needs: e }',
      'these tasks need each other: c → d → c',
      'these tasks need each other: e → f → e',
    ],
    ['plan: 1\nname: x\nsteps:\n  - { run: x, ¦needs: a }', 'steps run one after another; for `needs`, write `tasks`'],
    [
      'plan: 1\nname: x\nsteps:\n  - { id: step-2, run: x }\n  - ¦{ run: x }',
      'the id "step-2" is taken by an earlier step; give this one its own',
    ],
    [
      'plan: 1\nname: x\nsteps:\n  - ¦{ id: one }\n  - { run: x, ¦foo: y }',
      'the task does nothing; it has to have one of run, http, llm, approve, input, checkpoint, wait, set, map, plan',
      'unknown word "foo"; known here: run, http, llm, approve, input, checkpoint, wait, set, map, plan, description, if, timeout, retry, on_failure, env, secrets, capture, outputs, working_directory, env_file, id',
    ],
  ]));

describe('what expressions read', () =>
  checkCases([
    [task('{ run: "echo ${{ ¦inputs.w }}" }'), 'there is no input "w"'],
    [task('{ run: "echo ${{ ¦tasks.b.status }}" }'), 'task "b" may not have ended by then; add it to `needs`'],
    [task('{ run: "echo ${{ ¦tasks.a.status }}" }'), 'a task cannot read what itself leaves'],
    [task('{ run: "echo ${{ ¦tasks.c.status }}" }'), 'there is no task "c"'],
    [
      task('{ run: "echo ${{ ¦v }} ${{ ¦foo }}" }'),
      'unknown name "v"; expressions read inputs, tasks, plan; did you mean inputs.v?',
      'unknown name "foo"; expressions read inputs, tasks, plan',
    ],
    [task('{ run: "echo ${{ ¦inputs.a-b }}" }'), '`inputs.a-b` is read as a subtraction; write inputs["a-b"]'],
    [
      task('{ run: "echo ${{ ¦inputs[plan.name] }}" }'),
      '`inputs` has to be followed by a name that stands there: inputs.NAME',
    ],
    [
      task(`{ run: x, if: '¦inputs.exists(k, k == "v")' }`),
      '`inputs` has to be followed by a name that stands there: inputs.NAME',
    ],
    [task('{ run: ¦"echo ${{ inputs.v" }'), '"${{" is not closed by "}}" in "${{ inputs.v"'],
    [task('\n    run: |\n      echo one\n      echo ${{ ¦inputs.w }}'), 'there is no input "w"'],
    [
      task('{ run: x, if: ¦inputs.v = 3 }'),
      'Unexpected character: =; compare with "==" in the expression `inputs.v = 3`',
    ],
    [task('{ run: x, if: "¦${{ true }} && true" }'), '`if` is an expression already; leave out ${{ and }}'],
    [task('{ set: { x: [1, { y: "${{ ¦inputs.w }}" }] } }'), 'there is no input "w"'],
    [
      'plan: 1\nname: x\nsteps:\n  - { run: "${{ ¦tasks.two.status }}" }\n  - { id: two, run: x }',
      'step "two" comes later; a step reads those before it',
    ],
  ]));
