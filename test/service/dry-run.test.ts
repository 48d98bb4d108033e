import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/plan/json.ts';
import { dryRun } from '../../src/service/dry-run.ts';
import { readPlanFile } from '../../src/service/plan-file.ts';

const NOW = Date.parse('2026-06-01T00:00:00Z');
const told = (file: JsonObject, inputs: JsonObject = {}) =>
  dryRun(readPlanFile(JSON.stringify({ plan: 1, name: 'p', ...file }), { inputs }), NOW);
const ofTasks = (tasks: Record<string, Json>, more: JsonObject = {}) => told({ tasks, ...more });
const ids = (list: { id: string }[]) => list.map(({ id }) => id);

const INPUTS = { dry: { type: 'boolean', default: true }, n: { type: 'integer', default: 3 } };

describe('a condition is decided as far as it is known', () => {
  test.each<[string, Json, object]>([
    ['false by itself', false, { skipped: 'its condition is false: false' }],
    ['over inputs, false', 'inputs.n > 3', { skipped: 'its condition is false: inputs.n > 3' }],
    ['over inputs, true', 'inputs.dry && inputs.n == 3', {}],
    ['over what a task leaves', "tasks.a.outputs.stdout == 'x'", { when: "tasks.a.outputs.stdout == 'x'" }],
    [
      'false whatever comes',
      "tasks.a.outputs.stdout == 'x' && !inputs.dry",
      { skipped: expect.stringContaining('!inputs.dry') },
    ],
    ['true whatever comes', "tasks.a.status == 'failed' || inputs.dry", {}],
    ['with has() over what is not known', 'has(tasks.a.outputs.x)', { when: 'has(tasks.a.outputs.x)' }],
    ['over the run', 'plan.run > 1', { when: 'plan.run > 1' }],
    ['over a task that is skipped', "tasks.off.status == 'skipped'", {}],
  ])('%s', (_, condition, expected) => {
    const { would_run, would_skip, warnings } = ofTasks(
      {
        a: { run: 'x' },
        off: { run: 'x', if: false },
        b: {
          needs: typeof condition === 'string' && condition.includes('off') ? ['off'] : ['a'],
          run: 'x',
          if: condition,
        },
      },
      { inputs: INPUTS },
    );
    const [runs] = would_run.filter(({ id }) => id === 'b');
    const [skips] = would_skip.filter(({ id }) => id === 'b');
    expect({ ...(runs?.when && { when: runs.when }), ...(skips && { skipped: skips.reason }) }).toEqual(expected);
    expect(warnings.filter((text) => text.startsWith('b '))).toEqual([]);
  });

  test('one that can only fail is told before', () => {
    const { warnings, would_run } = ofTasks(
      { a: { run: 'x', if: 'inputs.n' }, b: { run: 'x', if: 'inputs.n / 0 > 1' } },
      { inputs: INPUTS },
    );
    expect(warnings).toEqual([
      'no task reads the input "dry"',
      'a would fail: its condition: inputs.n is 3, not true or false',
      expect.stringMatching(/^b would fail: .*division/i),
    ]);
    expect(ids(would_run)).toEqual(['a', 'b']);
  });
});

test('what is skipped skips what needs it, unless that has a condition of its own', () => {
  const { would_run, would_skip, layers } = ofTasks({
    c: { needs: 'b', run: 'x' },
    a: { run: 'x', if: false },
    b: { needs: 'a', run: 'x' },
    d: { needs: 'a', run: 'x', if: "tasks.a.status == 'skipped'" },
    e: { run: 'x' },
  });
  expect(ids(would_run)).toEqual(['d', 'e']);
  expect(would_skip).toEqual([
    { id: 'c', reason: 'b was skipped' },
    { id: 'a', reason: 'its condition is false: false' },
    { id: 'b', reason: 'a was skipped' },
  ]);
  expect(layers).toEqual([['e'], ['d']]);
});

test('a sub-plan knows the inputs that it is given, as far as they are known', () => {
  const sub = (value: string) => ({
    plan: { inputs: { go: value }, tasks: { x: { run: 'x', if: 'inputs.go' }, y: { needs: 'x', run: 'y' } } },
  });
  const { would_run, would_skip } = ofTasks(
    {
      a: { run: 'x' },
      on: sub('${{ inputs.dry }}'),
      off: sub('${{ !inputs.dry }}'),
      some: { needs: 'a', ...sub("${{ tasks.a.status == 'failed' }}") },
    },
    { inputs: INPUTS },
  );
  expect(ids(would_run)).toEqual(['a', 'on', 'on/x', 'on/y', 'off', 'some', 'some/x', 'some/y']);
  expect(would_run.find(({ id }) => id === 'some/x')!.when).toBe('inputs.go');
  expect(would_run.find(({ id }) => id === 'some/y')!.needs).toEqual(['some/x']);
  expect(ids(would_skip)).toEqual(['off/x', 'off/y']);
});

test('maps tell for how many items, when that is known', () => {
  const each = (list: Json) => ({ map: { in: list, task: { run: 'x' } } });
  const { would_run, warnings } = ofTasks(
    {
      a: { run: 'x' },
      two: each([1, 2]),
      three: each('[inputs.n, 2, 3]'),
      some: { needs: 'a', ...each('tasks.a.outputs.list') },
      none: each([]),
    },
    { inputs: { n: { type: 'integer', default: 1 } } },
  );
  expect(would_run.flatMap(({ for_each }) => (for_each ? [for_each.items] : []))).toEqual([2, 3, null, 0]);
  expect(warnings).toEqual(['none has nothing to do: its list is empty']);
});

test('every question is told, with what is known of its words', () => {
  const { questions } = ofTasks(
    {
      a: { run: 'x', on_failure: 'hold' },
      ship: { needs: 'a', approve: { prompt: 'Ship ${{ inputs.v }}?', options: ['ship', 'reject'], timeout: '2d' } },
      each: { map: { in: [1], task: { approve: 'this one?' } } },
      form: { input: { prompt: 'Who?', form: { name: { type: 'string' } } } },
      off: { approve: 'never', if: false },
    },
    { inputs: { v: { default: '1.2' } }, review: 'required' },
  );
  expect(questions).toEqual([
    { task: null, kind: 'review', prompt: 'May the plan begin?', options: ['approve', 'reject'] },
    {
      task: 'a',
      kind: 'decision',
      prompt: 'a has failed: what now?',
      options: ['retry', 'skip', 'complete', 'abort'],
      when: 'a has failed',
    },
    {
      task: 'ship',
      kind: 'approve',
      prompt: 'Ship 1.2?',
      options: ['ship', 'reject'],
      timeout_ms: 172_800_000,
      on_timeout: 'fail',
    },
    { task: 'each', kind: 'approve', prompt: 'this one?', options: ['approve', 'reject'], per_item: true },
    { task: 'form', kind: 'input', prompt: 'Who?', form: expect.objectContaining({ type: 'object' }) },
  ]);
});

describe('the longest that it may take', () => {
  const run = (timeout: string, more: JsonObject = {}) => ({ run: 'x', timeout, ...more });
  test.each<[string, Record<string, Json>, JsonObject, number | null]>([
    ['the longest way counts', { a: run('1m'), b: { needs: 'a', ...run('2m') }, c: run('150s') }, {}, 180_000],
    [
      'attempts and their delays',
      { a: run('1m', { retry: { max_attempts: 3, delay: '10s', backoff: 2 } }) },
      {},
      210_000,
    ],
    ['what waits for its turn', { a: run('1m'), b: run('1m'), c: run('1m') }, { max_parallel: 1 }, 240_000],
    [
      'waits, values and questions',
      {
        a: { wait: '10s' },
        b: { needs: 'a', set: { x: 1 } },
        c: { needs: 'b', approve: { prompt: 'ok?', timeout: '1m' } },
      },
      {},
      70_000,
    ],
    ['a time', { a: { wait: '2026-06-01T00:01:00Z' } }, {}, 60_000],
    ['items of a map', { a: { map: { in: [1, 2, 3], max_parallel: 2, task: run('1m') } } }, {}, 120_000],
    ['a sub-plan', { a: { plan: { tasks: { x: run('1m'), y: { needs: 'x', ...run('1m') } } } } }, {}, 120_000],
    ['what is skipped takes no time', { a: run('1m'), b: { run: 'x', if: false } }, {}, 60_000],
    ['a deadline', { a: { run: 'x' } }, { deadline: '1h' }, 3_600_000],
    [
      'handlers come after it',
      { a: { run: 'x' } },
      { deadline: '1h', finally: run('1m'), on_failure: run('2m') },
      3_780_000,
    ],
    ['a script without a timeout', { a: { run: 'x' } }, {}, null],
    ['a question that stays open', { a: { approve: { prompt: 'ok?', timeout: '1m', on_timeout: 'hold' } } }, {}, null],
    [
      'a list nobody knows yet',
      { a: run('1s'), b: { needs: 'a', map: { in: 'tasks.a.outputs.x', task: run('1s') } } },
      {},
      null,
    ],
  ])('%s', (_, tasks, more, ms) => expect(ofTasks(tasks, more).longest.ms).toBe(ms));

  test('what has no limit is named, inside sub-plans too', () => {
    const { longest } = ofTasks({ a: run('1m'), b: { run: 'x' }, c: { plan: { tasks: { d: { run: 'x' } } } } });
    expect(longest).toEqual({ ms: null, unlimited: ['b', 'c/d'] });
  });
});

test('a time that has passed, and a plan that would do nothing, are told', () => {
  expect(ofTasks({ a: { wait: '2026-01-01T00:00:00Z' } }).warnings).toEqual([
    'a waits until 2026-01-01T00:00:00Z, which has passed',
  ]);
  expect(ofTasks({ a: { run: 'x', if: false } }).warnings).toEqual(['every task would be skipped']);
});
