import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { KINDS } from '../../src/activities/kinds.ts';
import { planFileSchema } from '../../src/plan/schema.ts';
import { readPlanFile } from '../../src/service/plan-file.ts';

const RELEASE = `
plan: 1
name: release
description: Ships a version
labels: { team: web }
inputs: { version: { type: string }, tries: { type: integer, default: 3 } }
env: { CI: "1" }
max_parallel: 8
review: required
tasks:
  test:
    run: npm test
    timeout: 15m
    retry: { max_attempts: 3, delay: 5s, backoff: 2 }
    on_failure: continue
    env: { DEBUG: "1" }
  ship_it: { needs: [test, test], approve: { prompt: "Ship \${{ inputs.version }}?", options: [ship, stop], timeout: 2d, on_timeout: hold } }
  deploy: { needs: ship_it, if: "\${{ tasks.ship_it.outputs.choice == 'ship' && tasks.test.status == 'succeeded' }}", run: ./deploy.sh }
  rest: { wait: 30s, if: false }
  sum: { set: { n: "\${{ inputs.tries + 1 }}", list: [1, { deep: true }] } }
`;

describe('a good plan file', () => {
  const read = readPlanFile(RELEASE, { inputs: { version: '1.2' } });
  const task = (id: string) => read.definition.tasks.find((one) => one.id === id)!;

  test('gives the plan with everything filled in', () => {
    expect(read.definition).toMatchObject({
      schema_version: 1,
      name: 'release',
      description: 'Ships a version',
      max_parallel: 8,
      env: { CI: '1' },
    });
    expect(read).toMatchObject({
      inputs: { version: '1.2', tries: 3 },
      labels: { team: 'web' },
      permissions: ['plan:run_commands'],
      review: true,
    });
    expect(read.definition.tasks.map(({ id, kind, mode }) => `${id} ${kind} ${mode}`)).toEqual([
      'test run activity',
      'ship_it approve question',
      'deploy run activity',
      'rest wait clock',
      'sum set value',
    ]);
  });

  test('gives tasks with durations in ms, their needs once each, and what their expressions read', () => {
    expect(task('test')).toMatchObject({
      with: { script: 'npm test' },
      needs: [],
      timeout_ms: 900_000,
      retry: { max_attempts: 3, delay_ms: 5_000, backoff: 2, max_delay_ms: 300_000 },
      on_failure: 'continue',
      env: { DEBUG: '1' },
    });
    expect(task('ship_it').with).toEqual({
      prompt: 'Ship ${{ inputs.version }}?',
      options: ['ship', 'stop'],
      timeout_ms: 172_800_000,
      on_timeout: 'hold',
    });
    expect(task('ship_it').needs).toEqual([0]);
    expect(task('deploy')).toMatchObject({ needs: [1], uses: [1, 0], on_failure: 'fail', retry: { max_attempts: 1 } });
    expect(task('deploy').if).toBe("tasks.ship_it.outputs.choice == 'ship' && tasks.test.status == 'succeeded'");
    expect(task('rest')).toMatchObject({ with: '30s', if: 'false' });
    expect(task('sum').with).toEqual({ n: '${{ inputs.tries + 1 }}', list: [1, { deep: true }] });
  });

  test('is the same plan as JSON', () => {
    const json =
      '{"plan": 1, "name": "x", "tasks": {"a": {"run": "x", "retry": 3}, "b": {"needs": "a", "approve": "Go?"}}}';
    const yaml = 'plan: 1\nname: x\ntasks:\n  a: { retry: 3, run: x }\n  b:\n    approve: Go?\n    needs: [a]\n';
    expect(readPlanFile(yaml)).toEqual(readPlanFile(json));
    expect(readPlanFile(json).definition.tasks[1]!.with).toEqual({ prompt: 'Go?', options: ['approve', 'reject'] });
  });

  test('waits for a span, until a time, or for what an expression gives', () => {
    const words = ['1h30m', '2026-01-31T09:00:00+02:00', '${{ plan.name }}'];
    const { definition } = readPlanFile(JSON.stringify({ plan: 1, name: 'x', steps: words.map((wait) => ({ wait })) }));
    expect(definition.tasks.map((one) => one.with)).toEqual(words);
  });

  test('repeats by alias what it wrote once', () => {
    const { definition } = readPlanFile(
      'plan: 1\nname: x\ntasks:\n  a: { run: x, env: &e { A: "1" } }\n  b: { run: y, env: *e }\n',
    );
    expect(definition.tasks.map(({ env }) => env)).toEqual([{ A: '1' }, { A: '1' }]);
  });

  test('takes a first delay that is longer than the usual limit as it is said', () => {
    const { definition } = readPlanFile(
      'plan: 1\nname: x\ntasks: { a: { run: x, retry: { max_attempts: 2, delay: 1h } } }',
    );
    expect(definition.tasks[0]!.retry).toMatchObject({ delay_ms: 3_600_000, max_delay_ms: 3_600_000 });
  });
});

test('steps are a chain, named by their place unless they say so', () => {
  const { definition } = readPlanFile(
    'plan: 1\nname: x\nsteps:\n  - run: a\n  - { id: two, run: b }\n  - run: "${{ tasks[\'step-1\'].status }}"\n',
  );
  expect(definition.tasks.map(({ id, needs, uses }) => ({ id, needs, uses }))).toEqual([
    { id: 'step-1', needs: [], uses: [] },
    { id: 'two', needs: [0], uses: [] },
    { id: 'step-3', needs: [1], uses: [0] },
  ]);
});

describe("a task's fingerprint", () => {
  const marks = (text: string, inputs = {}) =>
    Object.fromEntries(
      readPlanFile(`plan: 1\nname: x\ninputs: { v: { default: a }, w: { default: a } }\n${text}`, {
        inputs,
      }).definition.tasks.map(({ id, fingerprint }) => [id, fingerprint]),
    );
  const changed = (before: Record<string, string>, after: Record<string, string>) =>
    Object.keys(before).filter((id) => before[id] !== after[id]);
  const file =
    'tasks:\n  a: { run: "x ${{ inputs.v }}" }\n  b: { needs: a, run: y }\n  c: { run: z, if: inputs.w != "" }\n';

  test('changes with the inputs it reads, and with what it needs', () => {
    expect(changed(marks(file), marks(file, { v: 'b' }))).toEqual(['a', 'b']);
    expect(changed(marks(file), marks(file, { w: 'b' }))).toEqual(['c']);
    expect(changed(marks(file), marks(file.replace('run: y', 'run: yy')))).toEqual(['b']);
    expect(changed(marks(file), marks(`env: { A: "1" }\n${file}`))).toEqual(['a', 'b', 'c']);
  });

  test("changes with its kind's version, as that of what needs it does", () => {
    const newer = KINDS.map((kind) => (kind.key === 'wait' ? { ...kind, version: 2 } : kind));
    const text = 'plan: 1\nname: x\ntasks: { a: { wait: 1s }, b: { run: x, needs: a }, c: { run: x } }';
    const [before, after] = [KINDS, newer].map((kinds) => readPlanFile(text, { kinds }).definition.tasks);
    expect(before!.map(({ fingerprint }, i) => fingerprint === after![i]!.fingerprint)).toEqual([false, false, true]);
  });

  test('stays the same over order, comments and retry', () => {
    const other =
      'tasks:\n  c: { if: inputs.w != "", run: z, retry: 5 }\n  # first\n  b: { run: y, needs: [a] }\n  a: { run: "x ${{ inputs.v }}" }\n';
    expect(changed(marks(file), marks(other))).toEqual([]);
  });
});

test('editors can be given a JSON Schema of the format', () => {
  const schema = z.toJSONSchema(planFileSchema(KINDS), { io: 'input' });
  expect(schema).toMatchObject({
    required: ['plan', 'name'],
    additionalProperties: false,
    oneOf: [{ required: ['tasks'] }, { required: ['steps'] }],
  });
  const { $ref } = (schema.properties!.tasks as { additionalProperties: { $ref: string } }).additionalProperties;
  const task = schema.$defs![$ref.replace('#/$defs/', '')] as { properties: object; oneOf: object[] };
  expect(Object.keys(task.properties)).toEqual(expect.arrayContaining(['run', 'approve', 'needs', 'retry']));
  expect(task.oneOf).toEqual(KINDS.map(({ key }) => ({ required: [key] })));
});
