import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/plan/json.ts';
import type { BatchLeft } from '../../src/plan/state.ts';
import { viewOf } from '../../src/plan/view.ts';
import { approval, define, drive } from '../support/rules.ts';

const NO_RETRY = { max_attempts: 1, delay_ms: 1, backoff: 1, max_delay_ms: 1 };
const template = {
  id: 'each',
  kind: 'run',
  mode: 'activity',
  needs: [],
  uses: [],
  inputs: [],
  with: {},
  retry: NO_RETRY,
};
const map = (more: object = {}, needs: string[] = []) => ({
  kind: 'map',
  mode: 'map' as const,
  needs,
  with: {
    in: 'inputs.list',
    as: 'item',
    max_parallel: 10,
    fail_fast: true,
    task: { ...template, on_failure: 'fail', fingerprint: '' },
    ...more,
  } as unknown as Json,
});
const pieces = (...sizes: number[]) => {
  let from = 0;
  return sizes.map((size) => {
    const piece = { from, to: from + size, items: [] };
    from += size;
    return piece;
  }) as unknown as Json;
};
const left = (more: Partial<BatchLeft> = {}): BatchLeft => ({
  succeeded: 2,
  failed: 0,
  skipped: 0,
  fatal: false,
  items: [{ status: 'succeeded', outputs: { n: 1 } }],
  ...more,
});
const FAILED = left({
  succeeded: 1,
  failed: 1,
  fatal: true,
  incomplete: true,
  error: { code: 'X', message: 'exit code 1' },
});

describe('a map', () => {
  const begun = (sizes: number[], more: object = {}, plan: object = {}) => {
    const it = drive(define({ each: map(more), b: { needs: ['each'] } }, plan));
    expect(it.asides()).toEqual(['each: expand']);
    it.endAside({ ok: pieces(...sizes) });
    return it;
  };

  test('is cut into pieces, of which two at a time are batches', () => {
    const it = begun([2, 2, 2]);
    expect(it.children.map(({ key, what }) => [key, what])).toEqual([
      ['each/0', { kind: 'batch', task: 0, piece: 0, from: 0, to: 2 }],
      ['each/1', { kind: 'batch', task: 0, piece: 1, from: 2, to: 4 }],
    ]);
    it.endChild('each/1', { verdict: 'completed', batch: left() });
    expect(it.children.map(({ key }) => key)).toEqual(['each/0', 'each/1', 'each/2']);
    it.endChild('each/0', { verdict: 'completed', batch: left() });
    expect(it.task('each').status).toBe('running');
    it.endChild('each/2', { verdict: 'completed', batch: left() });
    expect(it.task('each').outputs).toMatchObject({ total: 6, succeeded: 6, results: { length: 3 } });
    expect(it.started).toEqual(['b']);
  });

  test('with one at a time has one batch at a time; without items it is done', () => {
    expect(begun([2, 2], { max_parallel: 1 }).children).toHaveLength(1);
    const empty = begun([]);
    expect(empty.task('each').outputs).toEqual({ total: 0, succeeded: 0, failed: 0, skipped: 0, results: [] });
  });

  test('takes the plan’s slots for its batches', () => {
    expect(begun([2, 2], {}, { max_parallel: 1 }).children).toHaveLength(1);
  });

  test('fails with its first failed batch, and its other batch starts nothing more', () => {
    const it = begun([2, 2, 2]);
    it.endChild('each/0', { verdict: 'failed', batch: FAILED });
    expect(it.children.map(({ key, ending }) => [key, ending])).toEqual([
      ['each/0', undefined],
      ['each/1', 'wind_down'],
    ]);
    it.endChild('each/1', { verdict: 'stopped', batch: left({ succeeded: 1, incomplete: true }) });
    expect(it.task('each')).toMatchObject({
      status: 'failed',
      error: { code: 'MAP_ITEMS_FAILED', message: '1 of 6 items failed; the first: exit code 1' },
    });
    expect(it.status()).toBe('failed');
  });

  test('that does not fail fast goes through its list first', () => {
    const it = begun([2, 2, 2], { fail_fast: false });
    it.endChild('each/0', { verdict: 'completed', batch: FAILED });
    expect(it.children.map(({ key }) => key)).toEqual(['each/0', 'each/1', 'each/2']);
  });

  test('large results are put together elsewhere', () => {
    const it = begun([2]);
    it.endChild('each/0', { verdict: 'completed', batch: left({ items: { $stored: { sha256: 'x', bytes: 1 } } }) });
    expect(it.asides()).toEqual(['each: expand', 'each: collect'].slice(-1));
    it.endAside({ ok: { $stored: { sha256: 'y', bytes: 2 } } });
    expect(it.task('each').outputs).toMatchObject({ succeeded: 2, results: { $stored: { sha256: 'y' } } });
  });

  test('waits for a slot, and does not take that for its end', () => {
    const it = drive(define({ a: {}, each: map() }, { max_parallel: 1 }));
    it.endAside({ ok: pieces(2) });
    expect(it.children).toEqual([]);
    expect(it.task('each').status).toBe('running');
    it.succeed('a');
    expect(it.children).toHaveLength(1);
  });

  test('whose plan is stopped while its list is cut begins no batch', () => {
    const it = drive(define({ each: map() }));
    it.command('stop');
    expect(it.status()).not.toBe('stopped');
    it.endAside({ ok: pieces(2) });
    expect(it.children).toEqual([]);
    expect(it.status()).toBe('stopped');
    expect(it.plan.index.maps.size).toBe(0);
    expect(it.task('each').map).toBeUndefined();
  });

  test('begins no batch while paused, and goes on when resumed', () => {
    const it = begun([2, 2, 2]);
    it.command('pause');
    expect(it.status()).toBe('executing');
    it.tell('each/0', { status: 'paused', questions: [] });
    it.endChild('each/1', { verdict: 'completed', batch: left() });
    expect(it.status()).toBe('paused');
    expect(it.children).toHaveLength(2);
    it.command('resume');
    expect(it.children).toHaveLength(3);
    expect(it.status()).toBe('executing');
  });

  test('whose list cannot be had fails and says why', () => {
    const it = drive(define({ each: map() }));
    it.endAside({ error: 'no such key: list' });
    expect(it.task('each').error).toEqual({ code: 'TASK_INVALID', message: 'no such key: list' });
  });

  test('is stopped with its plan: its batches are cancelled first', () => {
    const it = begun([2, 2]);
    it.command('stop');
    expect(it.children.map(({ ending }) => ending)).toEqual(['cancel', 'cancel']);
    expect(viewOf(it.plan, it.now()).stopping).toBe(true);
    it.endChild('each/0', { verdict: 'stopped', batch: left({ incomplete: true }) });
    it.endChild('each/1', { verdict: 'stopped', batch: left({ incomplete: true }) });
    expect(it.status()).toBe('stopped');
  });

  test('decided to be tried again does only the batches that are not whole', () => {
    const it = drive(define({ each: { ...map(), on_failure: 'hold' } }));
    it.endAside({ ok: pieces(2, 2) });
    it.endChild('each/0', { verdict: 'completed', batch: left() });
    it.endChild('each/1', { verdict: 'failed', batch: FAILED });
    expect(it.status()).toBe('awaiting_input');
    it.command('answer', { question: 'each', choice: 'retry' });
    expect(it.children.slice(2).map(({ key }) => key)).toEqual(['each/1']);
    it.endChild('each/1', { verdict: 'completed', batch: left() });
    expect(it.status()).toBe('completed');
  });
});

describe('a child that waits', () => {
  const sub = () => {
    const with_ = { definition: {}, inputs: {}, outputs: {} } as unknown as Json;
    return drive(define({ sub: { kind: 'plan', mode: 'plan', with: with_ }, ok: approval() }));
  };
  const question = { id: 'sub/go.1', kind: 'approve' };

  test('makes its plan wait for what it waits for', () => {
    const it = sub();
    it.command('answer', { question: 'ok', choice: 'approve' });
    expect(it.status()).toBe('executing');
    it.tell('sub', { status: 'awaiting_input', questions: [question] });
    expect(it.status()).toBe('awaiting_input');
    it.tell('sub', { status: 'stand_by', next: it.now() + 60_000, questions: [] });
    expect(it.status()).toBe('stand_by');
    it.tell('sub', { status: 'executing', questions: [] });
    expect(it.status()).toBe('executing');
  });

  test('has its approvals counted, and commands on it are passed on', () => {
    const it = sub();
    it.tell('sub', { status: 'awaiting_input', questions: [question] });
    expect(it.command('approve')).toMatchObject({
      result: 'refused',
      message: expect.stringContaining('ok.1, sub/go.1'),
    });
    expect(it.command('answer', { question: 'sub/go.1', choice: 'approve' })).toMatchObject({
      result: 'forwarded',
      to: 'sub',
    });
    expect(it.command('hold', { task: 'sub/x' })).toMatchObject({ result: 'forwarded', to: 'sub' });
    it.command('answer', { question: 'ok', choice: 'approve' });
    expect(it.command('approve')).toMatchObject({ result: 'forwarded', to: 'sub' });
    it.tell('sub', { status: 'awaiting_input', questions: [{ id: 'sub/x.1', kind: 'decision' }] });
    expect(it.command('approve')).toMatchObject({ result: 'refused', message: expect.stringContaining('no approval') });
  });

  test('lets its plan be paused at once', () => {
    const it = sub();
    expect(it.command('pause')).toMatchObject({ result: 'accepted' });
    const quiet = sub();
    quiet.tell('sub', { status: 'awaiting_input', questions: [question] });
    expect(quiet.command('pause')).toMatchObject({ result: 'done' });
    expect(quiet.status()).toBe('paused');
  });

  test('only because its plan was paused counts as at work once that is resumed', () => {
    const it = sub();
    it.command('pause');
    it.tell('sub', { status: 'paused', questions: [] });
    expect(it.status()).toBe('paused');
    it.command('resume');
    expect(it.status()).toBe('executing');
  });

  test('is let be when it works for a handler of a plan that failed', () => {
    const with_ = { definition: {}, inputs: {}, outputs: {} } as unknown as Json;
    const it = drive(define({ a: {}, alarm: { kind: 'plan', mode: 'plan', with: with_, handler: 'on_failure' } }));
    it.fail('a');
    expect(it.children).toMatchObject([{ key: 'alarm' }]);
    expect(it.children[0]!.ending).toBeUndefined();
    it.endChild('alarm', { verdict: 'completed', outputs: {} });
    expect(it.status()).toBe('failed');
  });
});

describe('a full history', () => {
  test('starts nothing while it is full', () => {
    const it = drive(define({ a: {}, b: { needs: ['a'] } }));
    it.plan.index.room = 'full';
    it.succeed('a');
    expect(it.started).toEqual(['a']);
    expect(viewOf(it.plan, it.now()).waiting_for.map(({ what }) => what)).toEqual(['next_run']);
  });

  test('past it, what is ready goes to a segment with what follows from it', () => {
    const it = drive(
      define({ long: {}, a: {}, b: { needs: ['a'] }, c: { needs: ['b'] }, d: { needs: ['c', 'long'] } }),
    );
    it.plan.index.room = 'full';
    it.succeed('a');
    it.room('overflow');
    expect(it.children).toMatchObject([{ key: 'segment-1', what: { kind: 'segment', tasks: [2, 3] }, slots: 99 }]);
    const ended = (i: number) => ({ ...it.plan.state.tasks[i]!, status: 'succeeded' as const, ended_at: 5 });
    it.endChild('segment-1', {
      verdict: 'completed',
      tasks: [ended(2), ended(3)],
      events: [{ seq: 1, at: 5, type: 'TaskSucceeded', task: 'b' }],
    });
    expect([it.task('b').status, it.task('c').status]).toEqual(['succeeded', 'succeeded']);
    expect(it.events('TaskSucceeded').map(({ task }) => task)).toEqual(['a', 'b']);
    const seqs = it.plan.state.events.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, k) => k + 1));
    // Only segments are in flight no more than nothing is: d waits for the long task alone.
    it.room('enough');
    it.succeed('long');
    expect(it.started).toEqual(['long', 'a', 'd']);
  });

  test('a task that others wait for outside ends its segment', () => {
    const it = drive(
      define({ long: {}, a: {}, b: { needs: ['a'] }, x: { needs: ['a', 'long'] }, c: { needs: ['b'] } }),
    );
    it.plan.index.room = 'full';
    it.lose('a');
    it.room('overflow');
    expect(it.children).toMatchObject([{ what: { tasks: [1] } }]);
  });

  test('what asks, waits or is held is no part of a segment', () => {
    const it = drive(define({ long: {}, a: {}, q: approval(['a']), h: { needs: ['a'], on_failure: 'hold' } }));
    it.plan.index.room = 'full';
    it.succeed('a');
    it.room('overflow');
    expect(it.children).toEqual([]);
    expect(it.started).toEqual(['long', 'a', 'h']);
    expect(it.task('q').status).toBe('waiting');
  });
});
