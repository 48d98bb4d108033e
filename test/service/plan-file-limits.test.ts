import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { Fault } from '../../src/faults.ts';
import { readPlanFile } from '../../src/service/plan-file.ts';
import { problemsOf } from './plan-file-marks.ts';

const messages = (text: string) => problemsOf(text).map(({ message }) => message);
const file = (count: number, task: (i: number) => string) =>
  `plan: 1\nname: x\ntasks:\n${Array.from({ length: count }, (_, i) => `  t${i}: ${task(i)}\n`).join('')}`;

test('faults of one task hide none of another, and all are told at once in the order of the text', () => {
  const text =
    'plan: 1\nname: bad\ntasks:\n  a: { run: echo, needs: [zz] }\n  b: { htpp: { url: x } }\n  c: { run: echo, needs: [d] }\n  d: { run: echo, needs: [c] }\n';
  expect(problemsOf(text)).toEqual([
    { path: ['tasks', 'a', 'needs', 0], line: 4, column: 27, message: 'there is no task "zz"' },
    {
      path: ['tasks', 'b', 'htpp'],
      line: 5,
      column: 8,
      message: 'unknown word "htpp"; did you mean "http"?',
    },
    { path: ['tasks', 'c', 'needs'], line: 6, column: 26, message: 'these tasks need each other: c → d → c' },
  ]);
  expect(() => readPlanFile(text)).toThrow(
    '3 problems; the first: line 4, column 27, tasks.a.needs.0: there is no task "zz"',
  );
});

describe('limits', () => {
  test('depth, whether written or by alias', () => {
    const nested = (depth: number) =>
      `plan: 1\nname: x\ntasks: { a: { set: { v: ${'['.repeat(depth)}${']'.repeat(depth)} } } }`;
    expect(messages(nested(28))).toEqual([]);
    expect(messages(nested(29))).toEqual(['nested deeper than 32 levels']);
    expect(messages(nested(1_000_000))).toEqual(['nested deeper than 32 levels']);
    const aliased =
      'plan: 1\nname: x\ntasks:\n  a: { set: { v: &v [[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]] } }\n  b: { set: { v: [[[[[[[[[[[[[[[[*v]]]]]]]]]]]]]]]] } }\n';
    expect(messages(aliased)).toEqual(['nested deeper than 32 levels']);
  });

  test('size, as it is and with aliases written out', () => {
    expect(messages(`# ${'x'.repeat(2 * 1_024 * 1_024)}`)).toEqual(['the plan file is larger than 2 MiB']);
    const bomb = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map(
      (name, i, all) => `${name}: &${name} [${Array(9).fill(i === 0 ? 'x' : `*${all[i - 1]}`)}]`,
    );
    expect(messages(`plan: 1\nname: x\ntasks: { t: { set: { ${bomb.join(', ')} } } }`)).toEqual([
      'with its aliases written out the plan file is larger than 2 MiB',
    ]);
    const maps = file(1_000, (i) =>
      i === 0 ? `{ set: &big { v: { w: "${'x'.repeat(10_000)}" } } }` : '{ set: *big }',
    );
    expect(messages(maps)).toEqual(['with its aliases written out the plan file is larger than 2 MiB']);
    const text = file(1_000, (i) => (i === 0 ? `{ run: &big "${'x'.repeat(10_000)}" }` : '{ run: *big }'));
    expect(messages(text)).toEqual(['with its aliases written out the plan file is larger than 2 MiB']);
  });

  test('tasks, and problems told', () => {
    expect(messages(file(10_001, () => '{}'))).toEqual(['a plan has at most 10000 tasks; this one has more']);
    const broken = file(2_000, () => '{ run: x, needs: lion }');
    expect(problemsOf(broken)).toHaveLength(1_000);
    expect(() => readPlanFile(broken)).toThrow(/^more than 1000 problems; the first: line 4,/);
  });

  // A second each, of processor time, on the machine this was written on; the bound is there to tell linear from quadratic.
  test.each([
    ['a chain', (i: number) => `{ run: "echo \${{ plan.name }}"${i > 0 ? `, needs: t${i - 1}` : ''} }`],
    [
      'a chain that reads its beginning',
      (i: number) => (i === 0 ? '{ run: x }' : `{ run: "\${{ tasks.t0.status }}", needs: t${i - 1} }`),
    ],
    ['tasks on their own', () => '{ run: x, retry: 3, env: { A: "1" } }'],
  ])('ten thousand tasks as %s are read in seconds', (_, task) => {
    const before = process.cpuUsage();
    expect(readPlanFile(file(10_000, task)).definition.tasks).toHaveLength(10_000);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(10_000);
  });

  test('values, and tasks, before anything else is looked at', () => {
    const values = (count: number) => `plan: 1\nname: x\ntasks: { a: { set: { v: [${'1,'.repeat(count)}1] } } }`;
    expect(messages(values(249_991))).toEqual([]);
    expect(messages(values(249_992))).toEqual(['the plan file has more than 250000 words, numbers and texts in it']);
    const many = 'a plan has at most 10000 tasks; this one has more';
    expect(messages(file(10_001, () => '{ run: x }').concat('  t: [broken'))).toEqual([many]);
    expect(messages(`{"plan": 1, "name": "x", "steps": [${'{"run":"x"},'.repeat(10_001)}`)).toEqual([many]);
    expect(messages(`plan: 1\nname: x\ninputs:\n${'  a: {}\n'.repeat(10_001)}tasks: {}`)[0]).toBe(
      '"a" is given twice; keep one',
    );
  });

  test('a thousand problems are told, of whatever they are', () => {
    expect(problemsOf(`plan: 1\nname: x\n${'a: 1\n'.repeat(20_000)}`)).toHaveLength(1_000);
  });

  test('a cycle of ten thousand is told by its ends', () => {
    expect(messages(file(10_000, (i) => `{ run: x, needs: t${(i + 1) % 10_000} }`))).toEqual([
      'these tasks need each other: t0 → t1 → t2 → t3 → t4 → t5 → … (10000 tasks) → t9998 → t9999 → t0',
    ]);
  });
});

describe('whatever the text, it is read or refused with places', () => {
  function readOrRefused(text: string): void {
    try {
      readPlanFile(text);
    } catch (error) {
      expect(error).toBeInstanceOf(Fault);
      const { code, errors } = error as Fault;
      expect(code).toBe('PLAN_INVALID');
      const places = errors!.map(({ line, column }) => line! * 1e6 + column!);
      expect(places).toEqual([...places].sort((a, b) => a - b));
      expect(
        errors!.every(({ message, line, column }) => typeof message === 'string' && line! >= 1 && column! >= 1),
      ).toBe(true);
    }
  }
  const word = fc.constantFrom(
    'plan',
    'name',
    'inputs',
    'env',
    'tasks',
    'steps',
    'a',
    'b',
    'run',
    'approve',
    'wait',
    'set',
    'needs',
    'if',
    'retry',
    'timeout',
    'options',
    'prompt',
    'id',
    'http',
    'toString',
  );
  const text = fc.oneof(
    word,
    fc.string(),
    fc.constantFrom('${{ inputs.a }}', '${{ tasks.b.status', '1h', 'tasks.a.status == "x"'),
  );
  const { value } = fc.letrec<{ value: unknown }>((again) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(again('value'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(word, fc.string()), again('value'), { maxKeys: 5 }),
    ),
  }));
  const planLike = fc.record(
    { plan: fc.constant(1), name: text, inputs: value, env: value, tasks: value, steps: value },
    { requiredKeys: ['plan'] },
  );

  test('any text', () => fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), readOrRefused)));
  test('any JSON', () => fc.assert(fc.property(fc.json(), readOrRefused)));
  test('anything like a plan, as JSON and as YAML', () =>
    fc.assert(
      fc.property(planLike, (plan) => {
        readOrRefused(JSON.stringify(plan));
        readOrRefused(stringify(plan));
      }),
      { numRuns: 300 },
    ));
  test('a good file with a piece cut out', () => {
    const good =
      'plan: 1\nname: x\ninputs: { v: &d { default: a } }\ntasks:\n  a: { run: "echo ${{ inputs.v }}", needs: [b], retry: { max_attempts: 2 } }\n  b: { approve: { prompt: "Go?", options: [y, n], timeout: 1h, on_timeout: y } }\n';
    const cut = fc.tuple(fc.nat(good.length), fc.nat(12));
    fc.assert(
      fc.property(cut, ([at, length]) => readOrRefused(good.slice(0, at) + good.slice(at + length))),
      { numRuns: 300 },
    );
  });
});
