import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endOfAttempt, type Seen } from '../../src/plan/attempt.ts';
import { parseTime } from '../../src/plan/time.ts';
import { define, drive } from '../support/rules.ts';

describe('what starts when', () => {
  test('a task starts as soon as what it needs has ended, whatever its siblings do', () => {
    const it = drive(define({ a: {}, slow: {}, b: { needs: ['a'] } }));
    expect(it.started).toEqual(['a', 'slow']);
    it.succeed('a');
    expect(it.started).toEqual(['a', 'slow', 'b']);
  });

  test('no more run at once than max_parallel', () => {
    const it = drive(define({ a: {}, b: {}, c: {} }, { max_parallel: 2 }));
    expect(it.started).toEqual(['a', 'b']);
    it.succeed('b');
    expect(it.started).toEqual(['a', 'b', 'c']);
  });

  test('completed means that every task ended and none failed the plan', () => {
    const it = drive(define({ a: {}, b: { needs: ['a'] } }));
    it.succeed('a');
    expect(it.status()).toBe('executing');
    it.succeed('b');
    expect(it.status()).toBe('completed');
  });

  test('values are set at once, in the workflow', () => {
    const it = drive(
      define({
        a: { kind: 'set', mode: 'value', with: { n: '${{ 1 + 2 }}' } },
        b: { needs: ['a'], if: 'tasks.a.outputs.n == 3' },
      }),
    );
    expect(it.task('a').outputs).toEqual({ n: 3 });
    expect(it.started).toEqual(['b']);
  });
});

describe('skipping', () => {
  test('a skipped task skips what needs it, with the reason, and is not a failure', () => {
    const it = drive(define({ s: { if: 'false' }, k: {}, j: { needs: ['s', 'k'] }, h: { needs: ['j'] } }));
    it.succeed('k');
    expect(it.status()).toBe('completed');
    expect(it.task('s')).toMatchObject({ status: 'skipped', reason: 'its condition is false: false' });
    expect(it.task('j')).toMatchObject({ status: 'skipped', reason: 's was skipped' });
    expect(it.task('h')).toMatchObject({ status: 'skipped', reason: 'j was skipped' });
  });

  test('a condition of its own decides for a task whose need was skipped', () => {
    const it = drive(
      define({
        s: { if: 'false' },
        j: { needs: ['s'], if: "tasks.s.status == 'skipped'" },
        o: { needs: ['s'], if: 'tasks.s.outputs.x' },
      }),
    );
    expect(it.started).toEqual(['j']);
    expect(it.task('o')).toMatchObject({ status: 'skipped', reason: 's was skipped' });
  });

  test('a condition that cannot be evaluated fails its task and says why', () => {
    const it = drive(define({ a: {}, b: { needs: ['a'], if: 'tasks.a.outputs.nope == 1' } }));
    it.succeed('a');
    expect(it.task('b').error?.message).toMatch(/nope/);
    expect(it.status()).toBe('failed');
  });
});

describe('failing', () => {
  test('after a failure nothing new starts, what runs finishes, then the plan is failed', () => {
    const it = drive(define({ a: {}, b: {}, c: { needs: ['b'] } }));
    it.fail('a');
    expect(it.status()).toBe('executing');
    it.succeed('b');
    expect(it.started).toEqual(['a', 'b']);
    expect(it.status()).toBe('failed');
    expect(it.task('c')).toMatchObject({ status: 'cancelled', reason: 'task a failed' });
    expect(it.plan.state.error).toMatchObject({ task: 'a', message: 'exit code 1' });
  });

  test('what still runs after a failure is not tried again', () => {
    const it = drive(define({ a: {}, b: { retry: { max_attempts: 3, delay_ms: 1, backoff: 1, max_delay_ms: 1 } } }));
    it.fail('a');
    it.fail('b');
    expect(it.task('b').status).toBe('failed');
    expect(it.plan.state.error).toMatchObject({ task: 'a' });
  });

  test('on_failure: continue goes on, and the plan can complete', () => {
    const it = drive(define({ a: { on_failure: 'continue' }, b: { needs: ['a'] } }));
    it.fail('a');
    it.succeed('b');
    expect(it.status()).toBe('completed');
  });

  test('attempts are spaced by the back-off and limited by max_attempts', () => {
    const it = drive(define({ a: { retry: { max_attempts: 3, delay_ms: 1_000, backoff: 2, max_delay_ms: 1_500 } } }));
    it.fail('a');
    expect(it.status()).toBe('stand_by');
    it.pass(999);
    expect(it.started).toEqual(['a']);
    it.pass(1);
    expect(it.started).toEqual(['a', 'a']);
    it.fail('a');
    it.pass(1_499);
    expect(it.started).toHaveLength(2);
    it.pass(1);
    it.fail('a');
    expect(it.started).toHaveLength(3);
    expect(it.status()).toBe('failed');
  });
});

describe('lost attempts', () => {
  test('are dispatched again at once without spending an attempt', () => {
    const it = drive(define({ a: {} }));
    it.lose('a');
    expect(it.started).toEqual(['a', 'a']);
    expect(it.task('a')).toMatchObject({ attempts: 1, dispatch: 2 });
    it.succeed('a');
    expect(it.status()).toBe('completed');
  });

  test('three in a row with nothing else succeeding fail the task', () => {
    const it = drive(define({ a: {}, b: {} }));
    it.lose('a');
    it.lose('a');
    it.succeed('b');
    it.lose('a');
    it.lose('a');
    expect(it.status()).toBe('executing');
    it.lose('a');
    expect(it.task('a').error?.code).toBe('WORKER_LOST');
    expect(it.status()).toBe('failed');
  });

  test('those before which something was kept are none: the next dispatch goes on behind it', () => {
    const it = drive(define({ a: {} }));
    for (let times = 0; times < 10; times++) it.lose('a', { kept: true });
    it.lose('a');
    it.lose('a');
    it.lose('a', { kept: true });
    it.lose('a');
    it.lose('a');
    expect(it.status()).toBe('executing');
    it.lose('a');
    expect(it.task('a').error).toEqual({
      code: 'WORKER_LOST',
      message: expect.stringMatching(/^its worker was lost 3 times in a row, .*run it again$/),
    });
  });

  test.for<[Seen, object]>([
    [{ how: 'timed_out', what: 'heartbeat', heard: { last_output_at: 1, kept: true } }, { kept: true }],
    [{ how: 'timed_out', what: 'heartbeat', heard: { last_output_at: 1 } }, {}],
    [{ how: 'timed_out', what: 'heartbeat' }, {}],
    [{ how: 'failed', type: 'WorkerLost', message: '', details: { kept: true } }, { kept: true }],
    [{ how: 'failed', type: 'WorkerLost', message: '', details: 'kept' }, {}],
    [{ how: 'failed', type: 'WorkerShutdown', message: '' }, {}],
  ])('%j says whether', ([seen, kept]) => {
    expect(endOfAttempt(seen)).toEqual({ status: 'lost', message: expect.any(String), ...kept });
  });
});

/** The plainest executor that could be right: starts whatever may start, ends one attempt at a time. */
function reference(needs: number[][], failing: ReadonlySet<number>) {
  const ended = new Map<number, 'succeeded' | 'failed'>();
  let failed = false;
  const order = () =>
    needs.flatMap((list, i) => (!ended.has(i) && list.every((need) => ended.get(need) === 'succeeded') ? [i] : []));
  let running = order();
  while (running.length > 0) {
    const [i] = running as [number];
    ended.set(i, failing.has(i) ? 'failed' : 'succeeded');
    failed ||= failing.has(i);
    running = failed ? running.slice(1) : order();
  }
  return { ended, verdict: failed ? 'failed' : 'completed' };
}

test('random graphs end as a naive executor ends them, and no task starts before what it needs', () => {
  const graph = fc
    .array(fc.record({ needs: fc.array(fc.nat(), { maxLength: 3 }), fails: fc.boolean() }), {
      minLength: 1,
      maxLength: 12,
    })
    .map((tasks) =>
      tasks.map(({ needs, fails }, i) => ({
        fails: fails && i % 4 === 3,
        needs: i === 0 ? [] : [...new Set(needs.map((n) => n % i))],
      })),
    );
  fc.assert(
    fc.property(graph, (tasks) => {
      const id = (i: number) => `t${i}`;
      const it = drive(
        define(Object.fromEntries(tasks.map(({ needs }, i) => [id(i), { needs: needs.map(id) }])), {
          max_parallel: 100,
        }),
      );
      const expected = reference(
        tasks.map(({ needs }) => needs),
        new Set(tasks.flatMap(({ fails }, i) => (fails ? [i] : []))),
      );
      for (let done = 0; done < it.started.length; done++) {
        // The naive executor ends the lowest first; so do we.
        const next = tasks.map((_, i) => i).find((i) => it.task(id(i)).status === 'running')!;
        for (const need of tasks[next]!.needs) expect(it.task(id(need)).status).toBe('succeeded');
        if (tasks[next]!.fails) it.fail(id(next));
        else it.succeed(id(next));
      }
      expect(it.status()).toBe(expected.verdict);
      expect(new Set(it.started).size).toBe(it.started.length);
      for (const [i, status] of expected.ended) expect(it.task(id(i)).status).toBe(status);
    }),
  );
});

test('ten thousand tasks are scheduled in time that grows with them, not with their square', () => {
  const chain = (n: number) =>
    define(Object.fromEntries(Array.from({ length: n }, (_, i) => [`t${i}`, { needs: i ? [`t${i - 1}`] : [] }])));
  const it = drive(chain(10_000));
  for (let i = 0; i < 10_000; i++) it.succeed(`t${i}`);
  expect(it.status()).toBe('completed');
});

test.each([
  ['2026-01-31T09:00:00Z', 1_769_850_000_000],
  ['2026-01-31T09:00+01:00', 1_769_846_400_000],
  ['2024-02-29T00:00:00Z', 1_709_164_800_000],
  ['2026-02-31T00:00:00Z', undefined],
  ['2026-13-01T00:00:00Z', undefined],
  ['2026-01-31T09:00:00', undefined],
  ['2026-01-31', undefined],
  ['tomorrow', undefined],
])('the time %s is %s', (text, expected) => expect(parseTime(text)).toBe(expected));
