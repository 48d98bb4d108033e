import { describe, expect, test } from 'vitest';
import { endOfAttempt } from '../../src/plan/attempt.ts';
import { toTell } from '../../src/plan/children.ts';
import type { Json } from '../../src/plan/json.ts';
import { amount, type LimitDetails } from '../../src/plan/limits.ts';
import { viewOf } from '../../src/plan/view.ts';
import { define, drive } from '../support/rules.ts';

const chat: LimitDetails = {
  limit: 'chat',
  spent: 400_000,
  max: 350_000,
  needed: 1_020,
  unit: 'tokens',
};

describe('an attempt that reaches a limit', () => {
  test('counts as not made, and holds the plan: what runs ends by itself, nothing new starts', () => {
    const it = drive(define({ a: {}, b: {}, c: { needs: ['b'] } }));
    it.limit('a', chat);
    expect([it.status(), it.task('a').status, it.task('a').attempts]).toEqual(['executing', 'pending', 0]);
    it.succeed('b');
    expect([it.status(), it.started]).toEqual(['paused', ['a', 'b']]);
    expect(it.events('TaskFailed', 'TaskRetried')).toEqual([]);
    it.command('resume');
    expect([it.started, it.task('a').attempts, it.task('a').dispatch]).toEqual([['a', 'b', 'a', 'c'], 1, 2]);
    it.succeed('a');
    it.succeed('c');
    expect(it.status()).toBe('completed');
  });

  test('is told with its numbers: in the event, in what the plan waits for, and in its hold', () => {
    const it = drive(define({ a: {} }));
    it.limit('a', chat);
    const words = 'the token limit of the chat is reached: 400,000 of 350,000 tokens are spent or reserved';
    expect(it.events('PlanPaused')).toMatchObject([{ by: 'Holdpoint', message: expect.stringContaining(words) }]);
    const view = viewOf(it.plan, it.now());
    expect(view.waiting_for).toMatchObject([{ what: 'resume', text: expect.stringContaining(words) }]);
    expect(view.waiting_for[0]?.text).toContain('raise maxTokensPerChat');
    expect(view.hold).toMatchObject({ reason: 'cost_limit', by: 'Holdpoint', details: chat });
    it.command('resume');
    expect(viewOf(it.plan, it.now()).hold).toBeUndefined();
  });

  test('a back-off stands still meanwhile', () => {
    const it = drive(
      define({ a: { retry: { max_attempts: 2, delay_ms: 1_000, backoff: 1, max_delay_ms: 1_000 } }, b: {} }),
    );
    it.fail('a');
    it.limit('b', { limit: 'provider' });
    it.pass(60_000);
    expect([it.status(), it.started]).toEqual(['paused', ['a', 'b']]);
    expect(it.plan.state.pause?.reason).toBe('provider_limit');
    it.command('resume');
    it.pass(1_000);
    expect(it.started).toEqual(['a', 'b', 'b', 'a']);
  });

  test('many at once hold the plan once, and whoever paused it before keeps it', () => {
    const it = drive(define({ a: {}, b: {}, c: {} }));
    it.command('pause');
    it.limit('a', chat);
    it.limit('b', chat);
    expect(it.events('PlanPaused')).toHaveLength(1);
    expect(it.plan.state.pause).toMatchObject({ reason: 'paused', by: 'Ada' });
  });

  test('neither holds what is stopped nor what fails anyway', () => {
    const failing = drive(define({ a: {}, b: {} }));
    failing.fail('b');
    failing.limit('a', chat);
    expect(failing.status()).toBe('failed');
    const stopped = drive(define({ a: {} }));
    stopped.command('stop');
    stopped.limit('a', chat);
    expect([stopped.status(), stopped.task('a').status]).toEqual(['stopped', 'cancelled']);
  });

  test('an interruption that comes on top leaves its reason', () => {
    const it = drive(define({ a: {}, b: {} }));
    it.limit('a', chat);
    expect(it.command('pause', { interrupt: true, reason: 'server_restart' }).result).toBe('accepted');
    it.cancel('b');
    expect([it.status(), it.plan.state.pause?.reason]).toEqual(['paused', 'cost_limit']);
  });
});

test('a restart of the server is a reason of its own', () => {
  const it = drive(define({ a: {} }));
  it.command('pause', { interrupt: true, reason: 'server_restart' });
  it.cancel('a');
  expect(viewOf(it.plan, it.now()).hold?.reason).toBe('server_restart');
});

describe('a limit inside a child', () => {
  const child = () => drive(define({ x: {}, y: {} }));

  test('the child is held, and tells which limit it was', () => {
    const it = child();
    it.limit('x', chat);
    expect(toTell(it.plan, it.now())).toMatchObject({
      status: 'executing',
      limited: { ...chat, n: expect.any(Number) },
    });
    it.command('resume');
    expect(toTell(it.plan, it.now()).limited).toBeUndefined();
  });

  test('the whole plan is held, once for each time that it is told', () => {
    const it = drive(
      define({
        sub: { mode: 'plan', kind: 'plan', with: { definition: define({}) as unknown as Json, inputs: {} } },
        b: {},
      }),
    );
    const { key } = it.children[0]!;
    const told = { status: 'paused' as const, questions: [], limited: { n: 7, ...chat } };
    it.limitTold(key, told);
    it.succeed('b');
    expect([it.status(), it.plan.state.pause?.reason]).toEqual(['paused', 'cost_limit']);
    it.command('resume');
    it.limitTold(key, told);
    expect(it.plan.state.pause).toBeUndefined();
    it.limitTold(key, { ...told, limited: { ...told.limited, n: 12 } });
    expect(it.plan.state.pause?.reason).toBe('cost_limit');
  });
});

describe('how a failure that says so is read', () => {
  const seen = (details: object) =>
    ({ how: 'failed', type: 'LimitReached', message: 'no more', details: { ...details } }) as const;

  test('with what the plan is charged to', () => {
    expect(endOfAttempt(seen(chat), { chat: 'c1' })).toEqual({ status: 'limited', limit: { ...chat, chat: 'c1' } });
    expect(endOfAttempt({ how: 'failed', type: 'LimitReached', message: '' })).toEqual({
      status: 'limited',
      limit: { limit: 'provider' },
    });
  });

  test('a budget that is to fail its plan fails the task, for good', () => {
    const end = endOfAttempt(seen({ ...chat, limit: 'plan' }), { budget: { max_tokens: 1, on_exceeded: 'fail' } });
    expect(end).toMatchObject({ status: 'failed', error: { code: 'COST_LIMIT' }, retryable: false });
  });
});

test('amounts are read in groups', () => {
  expect([350_000, 1_000, 999, 0.5, 1_234_567.25, 0.1234567].map(amount)).toEqual([
    '350,000',
    '1,000',
    '999',
    '0.5',
    '1,234,567.25',
    '0.123457',
  ]);
});
