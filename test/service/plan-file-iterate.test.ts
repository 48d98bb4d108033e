import { describe, expect, test } from 'vitest';
import type { MapWords, SubPlanWords } from '../../src/plan/definition.ts';
import { dryRun } from '../../src/service/dry-run.ts';
import { readPlanFile } from '../../src/service/plan-file.ts';
import { planGraph } from '../../src/service/plan-graph/graph.ts';
import { checkCases } from './plan-file-marks.ts';

const OVER =
  'write a list, a pattern of files such as specs/*.md, { command: "…" } that prints one input per line, or an expression such as ${{ inputs.files }}';
const MAX = 'write how many inputs are worked at most, from 1 to 100000';
const plan = (iterate: string, more = 'steps: [{ run: x }]') => `plan: 1\nname: x\n${iterate}\n${more}\n`;

describe('what is wrong with iterate', () =>
  checkCases([
    [
      plan('iterate: ¦true'),
      'iterate says `over` which inputs the steps are done, such as { over: [one, two], as: item }',
    ],
    [plan('¦iterate: { as: x }'), `\`over\` is missing; ${OVER}`],
    [plan('iterate: { over: ¦5 }'), `is 5; ${OVER}`],
    [plan('iterate: { over: ¦"" }'), 'the pattern of files "" is empty; name a file'],
    [plan('iterate: { over: ¦[] }'), `no inputs found: the list is empty; ${OVER}`],
    [plan('iterate: { over: { ¦comand: x } }'), 'unknown word "comand"; did you mean "command"?'],
    [plan('iterate: { over: { command: ¦[ls] } }'), 'a command is text, such as "git ls-files"'],
    [plan('iterate: { over: { command: ¦"" } }'), 'a command must not be empty'],
    [plan('iterate: { over: [a], ¦In: x }'), 'unknown word "In"; known here: over, as, max'],
    [plan('iterate: { over: [a], max: ¦0 }'), MAX],
    [plan('iterate: { over: [a], max: ¦100001 }'), MAX],
    [plan('iterate: { over: [a], max: ¦"3" }'), MAX],
    [plan('iterate: { over: [a], as: ¦inputs }'), 'this name is taken'],
    [plan('iterate: { over: [a], as: ¦index }'), 'this name is taken'],
    [plan('iterate: { over: [a], as: ¦a-b }'), 'expressions read it without quotes, so it cannot have a "-"'],
    [
      plan('inputs: { files: { type: array, default: [] } }\niterate: { over: ¦"x ${{ inputs.files }}" }'),
      '"x ${{ inputs.files }}" is an expression and other text; write one expression alone, such as ${{ inputs.files }}, or a pattern of files without expressions',
    ],
    [
      plan('inputs: { files: { default: x } }\niterate: { over: ¦"${{ inputs.files }}" }'),
      'the input "files" is text, not a list; declare it with type: array',
    ],
    [
      plan('inputs: { files: { type: array, default: [] } }\niterate: { over: ¦inputs.files }'),
      'is a pattern of files; for what the input gives, write ${{ inputs.files }}',
    ],
    [
      plan('inputs: { files: { type: array, default: [] } }\niterate: { over: "${{ ¦inputs.file }}" }'),
      'there is no input "file"; did you mean "files"?',
    ],
    [
      plan('iterate: { over: "${{ ¦tasks.a.outputs.x }}" }', 'steps: [{ id: a, run: x }]'),
      '`over` is read before the first step runs, so it reads no tasks; a command can tell the inputs',
    ],
    [plan('iterate: { over: ¦/etc/* }'), 'the pattern of files "/etc/*" must be relative to the working directory'],
    [
      plan('iterate: { over: ¦"../*.md" }'),
      'the pattern of files "../*.md" must not lead out of the working directory',
    ],
    [
      plan('iterate: { over: { command: "ls ${{ ¦item }}" } }'),
      'unknown name "item"; expressions read inputs, tasks, plan',
    ],
  ]));

describe('what is wrong with what is iterated', () =>
  checkCases([
    [
      plan('iterate: { over: [a], as: file }', 'steps:\n  - run: "${{ ¦item }}"'),
      'unknown name "item"; expressions read inputs, tasks, plan, file, index',
    ],
    [plan('', 'steps:\n  - run: "${{ ¦item }}"'), 'unknown name "item"; expressions read inputs, tasks, plan'],
    [
      plan('iterate: { over: [a] }', 'steps:\n  - { run: x, ¦needs: [a] }'),
      'steps run one after another; for `needs`, write `tasks`',
    ],
    [
      plan('iterate: { over: [a] }', 'steps:\n  - { id: a, run: x }\nfinally: { run: "${{ ¦tasks.a.status }}" }'),
      'task "a" is done once for every input, so handlers cannot read it',
    ],
    [
      plan('iterate: { over: [a] }', 'steps: [{ run: x }]\nfinally: { run: "${{ ¦item }}" }'),
      'unknown name "item"; expressions read inputs, tasks, plan',
    ],
    [
      plan('iterate: { over: [a] }', 'steps: [{ run: x }]\nfinally: ¦{ id: iterate, run: x }'),
      'the id "iterate" is taken by the iterations; give this one its own',
    ],
    [
      plan('iterate: { over: [a] }', 'steps:\n  - plan: { steps: [{ run: "${{ ¦item }}" }] }'),
      'unknown name "item"; expressions read inputs, tasks, plan',
    ],
    ['¦plan: 1\nname: x\niterate: { over: [a] }', '`tasks` is missing; it says what to do'],
  ]));

const read = (text: string, inputs = {}) => readPlanFile(text, { inputs });

test('iterations are a map of sub-plans, one after another; handlers and what concerns the whole plan stay outside', () => {
  const { definition } = read(
    `plan: 1\nname: x\ninputs: { a: { default: v } }\nenv: { E: e }\ndeadline: 1h\niterate: { over: { command: ls }, as: file, max: 3 }\nworking_directory: sub\nsecrets: [KEY]\nsteps: [{ run: "\${{ inputs.a }} \${{ file }}" }, { run: y }]\non_failure: [{ run: h }, { run: i }]\nfinally: { run: j }`,
  );
  const { tasks, ...around } = definition;
  expect(around).toMatchObject({ name: 'x', env: { E: 'e' }, deadline_ms: 3_600_000 });
  expect(tasks.map(({ id, needs, handler }) => [id, needs, handler])).toEqual([
    ['inputs', [], undefined],
    ['iterate', [0], undefined],
    ['on_failure', [], 'on_failure'],
    ['on_failure-2', [2], 'on_failure'],
    ['finally', [], 'finally'],
  ]);
  expect(tasks[0]!.with).toEqual({ script: 'ls', working_directory: 'sub', secrets: ['KEY'] });
  const { task, ...map } = tasks[1]!.with as unknown as MapWords;
  expect(map).toMatchObject({ as: 'file', max_parallel: 1, fail_fast: true, iterate: { max: 3, lines: true } });
  const { definition: inner, inputs } = task.with as unknown as SubPlanWords;
  expect(inner).toMatchObject({ name: 'x', as: 'file', tasks: [{ id: 'step-1' }, { id: 'step-2', needs: [0] }] });
  expect(inner.deadline_ms).toBe(undefined);
  expect(inputs).toEqual({ a: '${{ inputs["a"] }}', $item: '${{ file }}', $index: '${{ index }}' });
});

test('an iteration of one plain command is that command; one that may end otherwise is a sub-plan', () => {
  const kindOf = (step: string) =>
    (read(plan('iterate: { over: [a] }', `steps: [${step}]`)).definition.tasks[0]!.with as unknown as MapWords).task
      .kind;
  expect(kindOf('{ run: x, retry: 3, timeout: 1s }')).toBe('run');
  for (const step of [
    '{ run: x, if: "false" }',
    '{ run: x, on_failure: continue }',
    '{ approve: x }',
    '{ run: x }, { run: y }',
  ])
    expect(kindOf(step)).toBe('plan');
});

test('their fingerprint is of the steps, the inputs they read, the list and its name', () => {
  const markOf = (text: string, inputs = {}) => read(text, inputs).definition.tasks[0]!.fingerprint;
  const steps = 'steps: [{ run: "${{ inputs.a }}" }]';
  const text = (iterate: string, more = steps) =>
    `plan: 1\nname: x\ninputs: { a: { default: v } }\niterate: ${iterate}\n${more}`;
  const marks = [
    markOf(text('{ over: [1, 2] }')),
    markOf(text('{ over: [1, 3] }')),
    markOf(text('{ over: [1, 2], max: 1 }')),
    markOf(text('{ over: [1, 2], as: x }')),
    markOf(text('{ over: [1, 2] }', 'steps: [{ run: "${{ inputs.a }} more" }]')),
    markOf(text('{ over: [1, 2] }'), { a: 'other' }),
  ];
  expect(new Set(marks).size).toBe(marks.length);
  expect(markOf(`${text('{ over: [1, 2] }')}\nfinally: { run: x }`)).toBe(marks[0]);
});

test('dry runs and graphs show the steps of an iteration, and do not take for wrong what reads its input', () => {
  const file = read(plan('iterate: { over: [a, b] }', `steps: [{ run: x }, { if: "item == 'a'", run: y }]`));
  const dry = dryRun(file);
  expect(dry.would_run.map(({ id, when }) => [id, when])).toEqual([
    ['iterate', undefined],
    ['iterate[]/step-1', undefined],
    ['iterate[]/step-2', "item == 'a'"],
  ]);
  expect(dry.would_run[0]!.for_each).toEqual({ kind: 'plan', items: 2 });
  expect(dry.warnings).toEqual([]);
  expect(planGraph(file.definition).nodes.map(({ id }) => id)).toEqual([
    'iterate',
    'iterate[]/step-1',
    'iterate[]/step-2',
  ]);
});

test('a dry run tells that there is nothing to iterate over', () => {
  const text = plan('inputs: { files: { type: array } }\niterate: { over: "${{ inputs.files }}", max: 1 }');
  expect(dryRun(read(text, { files: [] })).warnings).toEqual([
    'iterate would fail: no inputs found: the list that ${{ inputs.files }} gives is empty',
  ]);
  expect(dryRun(read(text, { files: [1, 2, 3] })).would_run[0]!.for_each).toEqual({ kind: 'run', items: 1 });
});
