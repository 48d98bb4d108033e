import { describe, expect, test } from 'vitest';
import { giveUp } from '../../src/plan/verdict.ts';
import { viewOf } from '../../src/plan/view.ts';
import { approval, define, drive } from '../support/rules.ts';

const handler = (handler: 'on_failure' | 'on_success' | 'finally', needs: string[] = [], more = {}) => ({
  handler,
  needs,
  ...more,
});

describe('handlers', () => {
  const plan = (more = {}) =>
    define({
      a: more,
      alarm: handler('on_failure'),
      cheer: handler('on_success'),
      clean: handler('finally'),
      sweep: handler('finally', ['clean']),
    });

  test('run after the plan’s own tasks, for the ending they are for, and then the verdict is told', () => {
    const it = drive(plan());
    it.succeed('a');
    expect(it.started).toEqual(['a', 'cheer']);
    expect(it.status()).toBe('executing');
    expect(viewOf(it.plan, it.now()).progress).toEqual({ done: 1, total: 1, percentage: 99 });
    it.succeed('cheer');
    it.succeed('clean');
    expect(it.started).toEqual(['a', 'cheer', 'clean', 'sweep']);
    it.succeed('sweep');
    expect(it.status()).toBe('completed');
    expect(it.task('alarm')).toMatchObject({ status: 'skipped', reason: 'the plan completed' });
    expect(it.plan.state.events.at(-1)).toMatchObject({ type: 'PlanStateChanged', state: { status: 'completed' } });
    expect(viewOf(it.plan, it.now()).progress).toEqual({ done: 1, total: 1, percentage: 100 });
  });

  test('after a failure the plan is failed whatever its handlers do', () => {
    const it = drive(plan());
    it.fail('a');
    it.succeed('alarm');
    it.fail('clean');
    expect(it.task('sweep').status).toBe('running');
    it.succeed('sweep');
    expect(it.status()).toBe('failed');
    expect(it.plan.state.error).toMatchObject({ task: 'a' });
  });

  test('a list of steps ends with the first that fails, but for `finally`', () => {
    const it = drive(define({ a: {}, one: handler('on_failure'), two: handler('on_failure', ['one']) }));
    it.fail('a');
    it.fail('one');
    expect(it.task('two')).toMatchObject({ status: 'skipped', reason: 'one failed' });
    expect(it.status()).toBe('failed');
  });

  test('a failed handler does not fail a plan that completed', () => {
    const it = drive(plan());
    it.succeed('a');
    it.fail('cheer');
    it.succeed('clean');
    it.succeed('sweep');
    expect(it.status()).toBe('completed');
  });

  test('have attempts of their own, also when the plan failed', () => {
    const retry = { max_attempts: 2, delay_ms: 10, backoff: 1, max_delay_ms: 10 };
    const it = drive(define({ a: {}, alarm: handler('on_failure', [], { retry }) }));
    it.fail('a');
    it.fail('alarm');
    it.pass(10);
    expect(it.started).toEqual(['a', 'alarm', 'alarm']);
  });

  test('read how the plan ends, and why', () => {
    const with_ = { text: '${{ plan.status + ": " + plan.error }}' };
    const it = drive(define({ a: {}, note: handler('on_failure', [], { kind: 'set', mode: 'value', with: with_ }) }));
    it.fail('a');
    expect(it.task('note').outputs).toEqual({ text: 'failed: exit code 1' });
  });

  test('a stop starts none of them, also while they run (case 8)', () => {
    const it = drive(plan());
    it.command('stop');
    it.cancel('a');
    expect(it.started).toEqual(['a']);
    expect(it.status()).toBe('stopped');
    const later = drive(plan());
    later.succeed('a');
    later.command('stop');
    later.cancel('cheer');
    expect(later.status()).toBe('stopped');
    expect(later.started).toEqual(['a', 'cheer']);
  });

  test('a stop while they run after a failure leaves no error', () => {
    const it = drive(plan());
    it.fail('a');
    it.command('stop');
    it.cancel('alarm');
    expect(it.status()).toBe('stopped');
    expect(viewOf(it.plan, it.now()).error).toBeNull();
  });

  test('a pause holds them', () => {
    const it = drive(plan());
    it.command('pause');
    it.succeed('a');
    expect(it.status()).toBe('paused');
    it.command('resume');
    expect(it.started).toEqual(['a', 'cheer']);
  });

  test('wait until a decision about a failed task is made', () => {
    const it = drive(define({ a: { on_failure: 'hold' }, alarm: handler('on_failure') }));
    it.fail('a');
    expect(it.started).toEqual(['a']);
    it.command('answer', { question: 'a', choice: 'abort' });
    expect(it.started).toEqual(['a', 'alarm']);
  });
});

describe('on_failure: hold', () => {
  const held = (more = {}) => {
    const it = drive(define({ a: { on_failure: 'hold', ...more }, b: { needs: ['a'] } }));
    it.fail('a');
    return it;
  };

  test('asks what to do, and the plan waits for people', () => {
    const it = held();
    expect(it.status()).toBe('awaiting_input');
    expect(viewOf(it.plan, it.now()).questions).toMatchObject([
      { id: 'a.1', kind: 'decision', prompt: 'a failed: exit code 1', options: ['retry', 'skip', 'complete', 'abort'] },
    ]);
    expect(it.command('approve')).toMatchObject({ result: 'refused' });
  });

  test('retry: attempts anew, and a question of its own when it fails again', () => {
    const retry = { max_attempts: 2, delay_ms: 10, backoff: 1, max_delay_ms: 10 };
    const it = drive(define({ a: { on_failure: 'hold', retry } }));
    it.fail('a');
    it.pass(10);
    it.fail('a');
    it.command('answer', { question: 'a.1', choice: 'retry' });
    expect(it.task('a')).toMatchObject({ status: 'running', attempts: 3, dispatch: 1 });
    it.fail('a');
    expect(it.task('a').status).toBe('backing_off');
    it.pass(10);
    it.fail('a');
    expect(it.task('a').question).toMatchObject({ id: 'a.2' });
    it.command('answer', { question: 'a.2', choice: 'retry' });
    it.succeed('a');
    expect(it.status()).toBe('completed');
  });

  test('skip: the task is skipped and so is what needs it', () => {
    const it = held();
    it.command('answer', { question: 'a', choice: 'skip' });
    expect(it.task('a')).toMatchObject({ status: 'skipped', reason: 'skipped by Ada after it failed: exit code 1' });
    expect(it.task('b').status).toBe('skipped');
    expect(it.status()).toBe('completed');
  });

  test('complete: taken as done with the outputs given', () => {
    const it = held();
    it.command('answer', { question: 'a', choice: 'complete', values: { stdout: 'by hand' } });
    expect(it.task('a')).toMatchObject({ status: 'succeeded', outputs: { stdout: 'by hand' } });
    expect(it.started).toEqual(['a', 'b']);
  });

  test('abort: the plan fails', () => {
    const it = held();
    it.command('answer', { question: 'a', choice: 'abort' });
    expect(it.status()).toBe('failed');
    expect(it.plan.state.error?.message).toBe('exit code 1 (given up by Ada)');
  });

  test('what runs beside goes on, and may finish', () => {
    const it = drive(define({ a: { on_failure: 'hold' }, b: {}, c: { needs: ['b'] } }));
    it.fail('a');
    expect(it.status()).toBe('executing');
    it.succeed('b');
    expect(it.started).toEqual(['a', 'b', 'c']);
  });

  test('a rejected approval, too, is asked about', () => {
    const it = drive(define({ ok: { ...approval(), on_failure: 'hold' } }));
    it.command('answer', { question: 'ok.1', choice: 'reject' });
    expect(it.task('ok').question).toMatchObject({ id: 'ok.2', kind: 'decision' });
    it.command('answer', { question: 'ok.2', choice: 'retry' });
    expect(it.task('ok').question).toMatchObject({ id: 'ok.3', kind: 'approve' });
    expect(it.command('approve')).toMatchObject({ result: 'done' });
    expect(it.status()).toBe('completed');
  });

  test('a plan that fails anyway asks nobody', () => {
    const it = drive(define({ a: {}, b: { on_failure: 'hold' } }));
    it.fail('a');
    it.fail('b');
    expect(it.status()).toBe('failed');
    expect(it.events('QuestionOpened')).toEqual([]);
  });

  test('while paused it can be answered, and goes on when resumed', () => {
    const it = held();
    it.command('pause');
    it.command('answer', { question: 'a', choice: 'retry' });
    expect(it.started).toEqual(['a']);
    it.command('resume');
    expect(it.started).toEqual(['a', 'a']);
  });
});

describe('the deadline', () => {
  const plan = () => define({ a: {}, b: { needs: ['a'] }, alarm: handler('on_failure') }, { deadline_ms: 60_000 });

  test('cancels what runs; then the plan has failed, and its handlers run', () => {
    const it = drive(plan());
    it.pass(59_999);
    expect(it.wasCancelled()).toBe(false);
    it.pass(1);
    expect(it.wasCancelled()).toBe(true);
    it.cancel('a');
    expect(it.started).toEqual(['a', 'alarm']);
    it.succeed('alarm');
    expect(it.status()).toBe('failed');
    expect(it.plan.state.error).toMatchObject({ code: 'DEADLINE_EXCEEDED' });
    expect(it.task('b')).toMatchObject({ status: 'cancelled', reason: 'the plan did not end before its deadline' });
  });

  test('stands still while paused (case 4)', () => {
    const it = drive(plan());
    it.pass(5_000);
    it.command('pause');
    it.succeed('a');
    it.pass(90_000);
    expect(it.status()).toBe('paused');
    it.command('resume');
    it.pass(54_999);
    expect(it.wasCancelled()).toBe(false);
    it.pass(1);
    expect(it.wasCancelled()).toBe(true);
  });

  test('begins when the plan does: not in review, nor before its start time', () => {
    const reviewed = drive(plan(), { review: true });
    reviewed.pass(100_000);
    reviewed.command('approve');
    reviewed.pass(59_999);
    expect(reviewed.wasCancelled()).toBe(false);
    const later = drive(plan(), { start_at: 1_200_000 });
    expect(viewOf(later.plan, later.now()).deadline_at).toBeNull();
    later.pass(200_000);
    expect(viewOf(later.plan, later.now()).deadline_at).toBe(new Date(1_260_000).toISOString());
  });

  test('passes also while only people are waited for', () => {
    const it = drive(define({ ok: approval() }, { deadline_ms: 1_000 }));
    it.pass(1_000);
    expect(it.status()).toBe('failed');
  });

  test('a result that still comes is kept as its task’s outcome', () => {
    const it = drive(plan());
    it.pass(60_000);
    it.succeed('a');
    expect(it.task('a').status).toBe('succeeded');
    expect(it.started).toEqual(['a', 'alarm']);
  });
});

test('a plan that cannot be carried on ends as failed, with what was open cancelled', () => {
  const it = drive(define({ a: {}, b: { needs: ['a'] } }));
  giveUp(it.plan, { code: 'PLAN_TOO_LARGE', message: 'too large' }, it.now());
  expect(it.status()).toBe('failed');
  expect(it.task('b').status).toBe('cancelled');
  expect(it.events().at(-1)).toMatchObject({ type: 'PlanStateChanged', error: { code: 'PLAN_TOO_LARGE' } });
});

describe('forms', () => {
  const form = {
    type: 'object',
    properties: { age: { type: 'integer', minimum: 0 }, city: { type: 'string', default: 'Oslo' } },
    required: ['age'],
    additionalProperties: false,
  };
  const asked = () =>
    drive(
      define({
        q: { kind: 'input', mode: 'question', with: { prompt: 'Who?', options: [], form } },
        b: { needs: ['q'], if: 'tasks.q.outputs.values.age > 40' },
      }),
    );

  test.each([
    [undefined, 'values: missing; give age, city'],
    [{}, 'values: Instance does not have required property "age".'],
    [{ age: 'abc' }, 'values.age: Instance type "string" is invalid. Expected "integer".'],
    [{ age: '0x20' }, 'values.age: Instance type "string" is invalid. Expected "integer".'],
    [{ age: -1 }, 'values.age: -1 is less than 0.'],
    [{ age: 41, more: 1 }, 'values.more: is no field of the form.'],
  ])('the values %j are refused, and the question stays open (case 20)', (values, message) => {
    const it = asked();
    const outcome = it.command('answer', { question: 'q', ...(values && { values }) });
    expect(outcome).toMatchObject({ result: 'refused', code: 'ANSWER_INVALID' });
    expect(outcome.message).toContain(message);
    expect(it.status()).toBe('awaiting_input');
  });

  test('an answer that the plan could not keep is refused', () => {
    const outcome = asked().command('answer', { question: 'q', values: { age: 41, city: 'x'.repeat(70_000) } });
    expect(outcome).toMatchObject({ code: 'ANSWER_INVALID', message: expect.stringContaining('at most 65536') });
  });

  test('values that fit are the outputs, with defaults; the same again is the same answer', () => {
    const it = asked();
    const first = it.command('answer', { question: 'q.1', values: { age: 41 } });
    expect(first.record).toMatchObject({ values: { age: 41, city: 'Oslo' } });
    expect(it.started).toEqual(['b']);
    expect(it.command('answer', { question: 'q.1', values: { age: 41 } }).record).toEqual(first.record);
    expect(it.command('answer', { question: 'q.1', values: { age: 42 } })).toMatchObject({ code: 'QUESTION_CLOSED' });
  });
});
