import { expect, test } from 'vitest';
import { define, drive } from '../support/rules.ts';

const interrupt = { interrupt: true } as const;

test('what runs is ended, counts as not made, and runs again when the plan goes on', () => {
  const it = drive(define({ a: {}, b: { needs: ['a'] }, c: {} }));
  it.succeed('a');
  expect(it.command('pause', interrupt).result).toBe('accepted');
  it.cancel('b');
  it.cancel('c');
  expect(it.status()).toBe('paused');
  expect(it.plan.state.pause?.reason).toBe('interrupted');
  expect(it.events('TaskInterrupted').map(({ task, attempt }) => [task, attempt])).toEqual([
    ['b', 1],
    ['c', 1],
  ]);
  it.command('resume');
  expect(it.started).toEqual(['a', 'c', 'b', 'c', 'b']);
  expect([it.task('b').attempts, it.task('b').dispatch]).toEqual([1, 2]);
  it.succeed('b');
  it.succeed('c');
  expect(it.status()).toBe('completed');
});

test('what succeeds or fails all the same has succeeded or failed', () => {
  const it = drive(define({ a: {}, b: { on_failure: 'continue' }, c: { needs: ['a', 'b'] } }));
  it.command('pause', interrupt);
  it.succeed('a');
  it.fail('b');
  expect([it.task('a').status, it.task('b').status, it.status()]).toEqual(['succeeded', 'failed', 'paused']);
  it.command('resume');
  expect(it.started).toEqual(['a', 'b', 'c']);
});

test('a pause that waits for what runs can be cut short; one that has come about cannot', () => {
  const it = drive(define({ a: {}, b: { needs: ['a'] } }));
  it.command('pause');
  expect(it.command('pause').result).toBe('refused');
  expect(it.command('pause', interrupt).result).toBe('accepted');
  it.cancel('a');
  expect([it.status(), it.plan.state.pause?.reason]).toEqual(['paused', 'interrupted']);
  expect(it.command('pause', interrupt)).toMatchObject({ result: 'refused', code: 'PLAN_INVALID_STATE' });
});

test('resumed before its attempt has ended, it runs again all the same', () => {
  const it = drive(define({ a: {} }));
  it.command('pause', interrupt);
  it.command('resume');
  it.cancel('a');
  expect([it.status(), it.started]).toEqual(['executing', ['a', 'a']]);
});

test('an attempt cancelled from outside later, with no interruption, fails its task', () => {
  const it = drive(define({ a: {} }));
  it.command('pause', interrupt);
  it.cancel('a');
  it.command('resume');
  it.cancel('a');
  expect([it.status(), it.task('a').error?.code]).toEqual(['failed', 'TASK_CANCELLED']);
});

test('stop outranks it', () => {
  const it = drive(define({ a: {}, b: { needs: ['a'] } }));
  it.command('pause', interrupt);
  it.command('stop');
  it.cancel('a');
  expect([it.status(), it.task('a').status]).toEqual(['stopped', 'cancelled']);
});
