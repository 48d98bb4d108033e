import { describe, expect, test } from 'vitest';
import {
  ACTIVE_STATUSES,
  COMMANDS,
  type CommandName,
  type PlanStatus,
  TERMINAL_STATUSES,
} from '../../src/plan/lifecycle.ts';
import { viewOf } from '../../src/plan/view.ts';
import { approval, define, drive } from '../support/rules.ts';

const gate = () => define({ ok: approval(), b: { needs: ['ok'] } });

/** A plan in each state. */
const IN: Record<PlanStatus, () => ReturnType<typeof drive>> = {
  pending_review: () => drive(gate(), { review: true }),
  stand_by: () => drive(gate(), { start_at: 2_000_000 }),
  awaiting_input: () => drive(gate()),
  executing: () => drive(define({ a: {}, b: { needs: ['a'] } })),
  paused: () => {
    const it = drive(gate());
    it.command('pause');
    return it;
  },
  completed: () => {
    const it = drive(define({ a: {} }));
    it.succeed('a');
    return it;
  },
  failed: () => {
    const it = drive(define({ a: {} }));
    it.fail('a');
    return it;
  },
  stopped: () => {
    const it = drive(gate());
    it.command('stop');
    return it;
  },
};

describe('document 1: which command is taken in which state', () => {
  const table: Record<PlanStatus, string> = {
    pending_review: 'stop',
    stand_by: 'pause stop',
    awaiting_input: 'pause stop',
    executing: 'pause stop',
    paused: 'resume stop',
    completed: '',
    failed: '',
    stopped: '',
  };
  for (const [status, commands] of Object.entries(table))
    for (const command of ['pause', 'resume', 'stop'] as const)
      test(`${command} of a plan that is ${status}`, () => {
        const it = IN[status as PlanStatus]();
        expect(it.status()).toBe(status);
        const taken = commands.split(' ').includes(command);
        const outcome = it.command(command);
        if (taken) expect(outcome.result).not.toBe('refused');
        else expect(outcome).toMatchObject({ result: 'refused', code: 'PLAN_INVALID_STATE' });
      });

  test('the actions a view offers are those that are taken', () => {
    for (const status of [...ACTIVE_STATUSES, ...TERMINAL_STATUSES])
      for (const name of Object.keys(COMMANDS) as CommandName[]) {
        if (['answer', 'hold', 'release'].includes(name)) continue;
        const offered = viewOf(IN[status]().plan, 0).allowed_actions.includes(name);
        expect([status, name, IN[status]().command(name).result !== 'refused']).toEqual([status, name, offered]);
      }
  });
});

describe('pause', () => {
  test('from awaiting_input and stand_by is done at once', () => {
    expect(IN.awaiting_input().command('pause').result).toBe('done');
    expect(IN.stand_by().command('pause').result).toBe('done');
  });

  test('while tasks run: accepted, nothing new starts, then paused; a failure is acted on after resume (case 34)', () => {
    const it = drive(define({ a: {}, b: {}, c: {}, d: { needs: ['a'] } }, { max_parallel: 2 }));
    expect(it.command('pause').result).toBe('accepted');
    expect(viewOf(it.plan, it.now())).toMatchObject({ state: { status: 'executing' }, pausing: true });
    expect(it.command('pause')).toMatchObject({ result: 'refused', code: 'PLAN_INVALID_STATE' });
    it.succeed('a');
    it.fail('b');
    expect(it.started).toEqual(['a', 'b']);
    expect(it.status()).toBe('paused');
    expect(it.task('b').status).toBe('failed');
    it.command('resume');
    expect(it.status()).toBe('failed');
  });

  test('strict handling refuses while a task runs', () => {
    const it = IN.executing();
    expect(it.command('pause', { strict: true })).toMatchObject({ result: 'refused', code: 'PLAN_INVALID_STATE' });
    expect(viewOf(it.plan, 0).pausing).toBe(false);
    expect(IN.awaiting_input().command('pause', { strict: true }).result).toBe('done');
  });

  test('as the last task ends lets the plan complete (case 34)', () => {
    const it = drive(define({ a: {} }));
    it.command('pause');
    it.succeed('a');
    expect(it.status()).toBe('completed');
  });

  test('resume ends the drain', () => {
    const it = IN.executing();
    it.command('pause');
    expect(it.command('resume').result).toBe('done');
    it.succeed('a');
    expect(it.started).toEqual(['a', 'b']);
  });
});

describe('clocks stand still while paused, by the time of the command', () => {
  test('back-off keeps what remained of it (case 1)', () => {
    const it = drive(define({ a: { retry: { max_attempts: 2, delay_ms: 20_000, backoff: 1, max_delay_ms: 60_000 } } }));
    it.fail('a');
    it.pass(5_000);
    it.command('pause');
    it.pass(60_000);
    expect(it.started).toHaveLength(1);
    it.command('resume');
    it.pass(14_999);
    expect(it.started).toHaveLength(1);
    it.pass(1);
    expect(it.started).toHaveLength(2);
  });

  test('a question that was to run out three seconds after the pause was given is still open, however late the pause comes', () => {
    const it = drive(define({ ok: approval([], { timeout_ms: 10_000, on_timeout: 'reject' }) }));
    const given = it.now() + 7_000;
    // No worker was there to take the command: it comes in the same activation as the timer.
    it.absent(100_000);
    it.command('pause', { at: given });
    expect(it.status()).toBe('paused');
    it.pass(100_000);
    it.command('resume');
    it.pass(2_999);
    expect(it.status()).toBe('awaiting_input');
    it.pass(1);
    expect(it.task('ok').error?.message).toMatch(/outcome reject/);
  });

  test('a failure during the drain backs off from the resume on', () => {
    const it = drive(define({ a: { retry: { max_attempts: 2, delay_ms: 1_000, backoff: 1, max_delay_ms: 60_000 } } }));
    it.command('pause');
    it.fail('a');
    it.pass(10_000);
    expect(it.status()).toBe('paused');
    it.command('resume');
    expect(it.status()).toBe('stand_by');
    it.pass(1_000);
    expect(it.started).toHaveLength(2);
  });
});

describe('resume', () => {
  test('tells stand_by with next execution now, then what follows (document 1)', () => {
    const it = IN.paused();
    const before = it.plan.state.seq;
    it.command('resume');
    const states = it.events('PlanStateChanged').filter(({ seq }) => seq > before);
    expect(states.map(({ state }) => state)).toEqual([
      { status: 'stand_by', next_execution_at: new Date(it.now()).toISOString() },
      { status: 'awaiting_input' },
    ]);
  });

  test('of a plan that waits for its start time starts it at once', () => {
    const it = drive(define({ a: {} }), { start_at: 9_000_000 });
    it.command('pause');
    it.command('resume');
    expect(it.started).toEqual(['a']);
  });
});

describe('stop', () => {
  test('while paused, and at a question, ends the plan at once (case 2)', () => {
    for (const status of ['paused', 'awaiting_input', 'stand_by', 'pending_review'] as const) {
      const it = IN[status]();
      expect(it.command('stop').result).toBe('done');
      expect(it.status()).toBe('stopped');
    }
  });

  test('cancels what runs and shows stopped only when it has ended; a late success is kept and starts nothing (case 9)', () => {
    const it = IN.executing();
    it.command('stop');
    expect(it.wasCancelled()).toBe(true);
    expect(viewOf(it.plan, 0)).toMatchObject({ state: { status: 'executing' }, stopping: true });
    expect(it.command('stop')).toMatchObject({ result: 'refused' });
    it.succeed('a');
    expect(it.status()).toBe('stopped');
    expect(it.task('a').status).toBe('succeeded');
    expect(it.started).toEqual(['a']);
  });

  test('outranks pause', () => {
    const it = IN.executing();
    it.command('pause');
    expect(it.command('stop').result).toBe('done');
    it.cancel('a');
    expect(it.status()).toBe('stopped');
  });

  test('whatever a task throws then is part of stopping: no retry, no failure (case 8)', () => {
    const it = drive(define({ long: { retry: { max_attempts: 5, delay_ms: 1, backoff: 1, max_delay_ms: 1 } } }));
    it.command('stop');
    it.fail('long');
    expect(it.status()).toBe('stopped');
    expect(it.task('long')).toMatchObject({ status: 'cancelled', reason: 'stopped by Ada' });
    expect(it.plan.state.error).toBeUndefined();
    expect(it.events('TaskRetried', 'TaskFailed')).toEqual([]);
  });

  test('during a back-off is at once, and the back-off never fires (case 35)', () => {
    const it = drive(define({ f: { retry: { max_attempts: 5, delay_ms: 15_000, backoff: 1, max_delay_ms: 60_000 } } }));
    it.fail('f');
    it.command('stop');
    expect(it.status()).toBe('stopped');
    it.pass(40_000);
    expect(it.started).toEqual(['f']);
  });
});

describe('requests', () => {
  test('the same request_id again does nothing and has the same outcome', () => {
    const it = IN.awaiting_input();
    const first = it.command('pause', { request_id: 'same' });
    const seq = it.plan.state.seq;
    expect(it.command('pause', { request_id: 'same' })).toEqual(first);
    expect(it.plan.state.seq).toBe(seq);
  });

  test('two hundred outcomes are kept', () => {
    const it = IN.awaiting_input();
    for (let i = 0; i < 250; i++) it.command(i % 2 ? 'resume' : 'pause');
    expect(it.plan.state.outcomes).toHaveLength(200);
    expect(it.plan.state.outcomes.at(-1)!.request_id).toBe('r250');
  });
});

describe('hold points set by hand', () => {
  test('keep a task from starting until it is released', () => {
    const it = drive(define({ a: {}, deploy: { needs: ['a'] } }));
    expect(it.command('hold', { task: 'deploy' }).result).toBe('done');
    expect(it.command('hold', { task: 'deploy' })).toMatchObject({ result: 'refused' });
    it.succeed('a');
    expect(it.started).toEqual(['a']);
    expect(it.status()).toBe('awaiting_input');
    expect(viewOf(it.plan, it.now()).waiting_for[0]).toMatchObject({ what: 'release', task: 'deploy', by: 'Ada' });
    it.command('release', { task: 'deploy' });
    expect(it.started).toEqual(['a', 'deploy']);
  });

  test('hold a retry, too, and are refused for what runs or has ended', () => {
    const it = drive(define({ a: { retry: { max_attempts: 2, delay_ms: 10, backoff: 1, max_delay_ms: 10 } } }));
    expect(it.command('hold', { task: 'a' })).toMatchObject({ result: 'refused' });
    it.fail('a');
    it.command('hold', { task: 'a' });
    it.pass(10);
    expect(it.started).toHaveLength(1);
    it.command('release', { task: 'a' });
    expect(it.started).toHaveLength(2);
    it.succeed('a');
    expect(it.command('hold', { task: 'nope' }).result).toBe('refused');
  });
});

describe('questions', () => {
  test('one answer is taken; the same again gets its record, another is refused (case 17)', () => {
    const it = drive(gate());
    const first = it.command('answer', { question: 'ok', choice: 'approve' });
    expect(first.record).toMatchObject({ choice: 'approve', by: 'Ada' });
    expect(it.command('answer', { question: 'ok.1', choice: 'approve' })).toMatchObject({
      result: 'done',
      record: first.record,
    });
    expect(it.command('answer', { question: 'ok', choice: 'reject' })).toMatchObject({
      result: 'refused',
      code: 'QUESTION_CLOSED',
    });
    expect(it.started).toEqual(['b']);
  });

  test('early, unknown and wrong answers each get their own refusal (case 18)', () => {
    const it = drive(define({ a: {}, ok: approval(['a']), b: { needs: ['ok'] } }));
    const answer = (question: string, choice = 'approve') => it.command('answer', { question, choice });
    expect(answer('ok')).toMatchObject({ code: 'QUESTION_CLOSED', message: expect.stringContaining('not open yet') });
    expect(answer('ok.1')).toMatchObject({ code: 'QUESTION_NOT_FOUND' });
    expect(answer('nope')).toMatchObject({ code: 'QUESTION_NOT_FOUND' });
    expect(answer('a')).toMatchObject({ code: 'QUESTION_NOT_FOUND' });
    it.succeed('a');
    expect(answer('ok', 'maybe')).toMatchObject({ code: 'ANSWER_INVALID', message: expect.stringContaining('maybe') });
    expect(answer('ok').result).toBe('done');
  });

  test('reject fails the task, with who and why', () => {
    const it = drive(gate());
    it.command('answer', { question: 'ok', choice: 'reject', comment: 'too early' });
    expect(it.status()).toBe('failed');
    expect(it.task('ok').error).toMatchObject({ code: 'REJECTED', message: 'rejected by Ada: too early' });
  });

  test('an approval that names no gate is refused while more than one is open (case 16)', () => {
    const it = drive(define({ g1: approval(), g2: approval(), a: { needs: ['g1'] }, b: { needs: ['g2'] } }));
    expect(it.command('approve')).toMatchObject({
      code: 'REQUEST_INVALID',
      message: expect.stringMatching(/g1\.1, g2\.1/),
    });
    it.command('approve', { question: 'g1' });
    expect(it.started).toEqual(['a']);
    expect(it.command('approve').result).toBe('done');
    expect(it.started).toEqual(['a', 'b']);
  });

  test('may be answered while the plan is paused; what follows waits', () => {
    const it = IN.paused();
    expect(it.command('answer', { question: 'ok', choice: 'approve' }).result).toBe('done');
    expect(it.started).toEqual([]);
    it.command('resume');
    expect(it.started).toEqual(['b']);
  });

  test('time out into a choice, a failure, or stay open', () => {
    const gate = (on_timeout?: string) =>
      drive(
        define({ ok: approval([], { timeout_ms: 5_000, ...(on_timeout && { on_timeout }) }), b: { needs: ['ok'] } }),
      );
    const [reject, approve, hold, silent] = [gate('reject'), gate('approve'), gate('hold'), gate()];
    for (const it of [reject, approve, hold, silent]) it.pass(5_000);
    expect(reject.task('ok').error?.message).toMatch(/expired at .*, outcome reject/);
    expect(approve.started).toEqual(['b']);
    expect(hold.command('approve').result).toBe('done');
    expect(silent.status()).toBe('failed');
    expect(reject.command('answer', { question: 'ok', choice: 'approve' })).toMatchObject({
      code: 'QUESTION_CLOSED',
      message: expect.stringContaining('expired'),
    });
  });
});

test('nothing starts in review before somebody approves', () => {
  const it = drive(define({ a: {} }), { review: true });
  expect(it.started).toEqual([]);
  expect(it.command('approve').result).toBe('done');
  expect(it.started).toEqual(['a']);
  expect(it.events('PlanApproved')[0]).toMatchObject({ by: 'Ada' });
});

test('what somebody says with a pause or a stop stands in the story', () => {
  const it = IN.stand_by();
  it.command('pause', { comment: 'lunch' });
  it.command('resume');
  it.command('stop');
  const [paused, stopped] = [it.events('PlanPaused')[0], it.events('PlanStopped')[0]];
  expect([paused?.details, stopped?.details]).toEqual([{ comment: 'lunch' }, undefined]);
});
