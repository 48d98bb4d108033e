import { describe, expect, test } from 'vitest';
import type { Plan, Event as PlanEvent } from '../../src/console/api/types.ts';
import { applied } from '../../src/console/live/applied.ts';
import { newest } from '../../src/console/live/newest.ts';

const AT = '2026-01-02T03:04:05.000Z';
const plan = (seq: number, more: Partial<Plan> = {}): Plan =>
  ({
    seq,
    run: 1,
    state: { status: 'executing' },
    tasks: [
      { id: 'a', kind: 'run', status: 'running', attempt: 1, max_attempts: 1, needs: [] },
      { id: 'b', kind: 'run', status: 'pending', attempt: 0, max_attempts: 1, needs: ['a'] },
    ],
    current_task: 'a',
    current_tasks: ['a'],
    progress: { done: 0, total: 2, percentage: 0 },
    freshness: { live: true, at: AT },
    ...more,
  }) as Plan;
const event = (seq: number, type: PlanEvent['type'], more: Partial<PlanEvent> = {}): PlanEvent => ({
  seq,
  at: AT,
  type,
  ...more,
});

describe('an event', () => {
  test('that is newer changes the state and the task it is about, and no other task', () => {
    const before = plan(5);
    const after = applied(before, event(6, 'TaskSucceeded', { task: 'a' }));
    expect([after.seq, after.tasks[0]!.status, after.tasks[1]]).toEqual([6, 'succeeded', before.tasks[1]]);
    expect(after.tasks[1]).toBe(before.tasks[1]);
    expect(applied(after, event(7, 'PlanStateChanged', { state: { status: 'paused' } })).state).toEqual({
      status: 'paused',
    });
  });

  test('of an end leaves nothing at work, and nothing half done', () => {
    expect(applied(plan(5), event(6, 'TaskFailed', { task: 'a' })).current_tasks).toEqual([]);
    const ends = (status: 'completed' | 'stopped') =>
      applied(plan(5), event(6, 'PlanStateChanged', { state: { status } }));
    const rest = { current_task: null, current_tasks: [], waiting_for: [], questions: [] };
    expect(ends('completed')).toMatchObject({ ...rest, progress: { done: 2, total: 2, percentage: 100 } });
    expect(ends('stopped')).toMatchObject({ ...rest, progress: { done: 0, total: 2, percentage: 0 } });
  });

  test('that the plan has already changes nothing', () => {
    const before = plan(5);
    expect(applied(before, event(5, 'PlanStateChanged', { state: { status: 'paused' } }))).toBe(before);
  });
});

describe('a plan that is read', () => {
  const paused = plan(9, { state: { status: 'paused' } });

  test('is not taken when events have told more already, but for how fresh it is', () => {
    const late = plan(7, { freshness: { live: false, at: AT, message: 'old' } });
    expect(newest(paused, late)).toEqual({ ...paused, freshness: late.freshness });
  });

  test('is taken when it is as new or newer, of a later run, or has ended outside', () => {
    expect(newest(paused, plan(9)).state.status).toBe('executing');
    expect(newest(paused, plan(2, { run: 2 })).run).toBe(2);
    expect(newest(paused, plan(3, { state: { status: 'stopped' } })).state.status).toBe('stopped');
  });

  test('of which no worker tells the tasks, keeps those that were seen', () => {
    const known = plan(9, {
      tasks: [],
      freshness: { live: false, at: AT, message: 'no worker' },
      state: { status: 'stopped' },
    });
    const shown = newest(paused, known);
    expect([shown.state.status, shown.tasks]).toEqual(['stopped', paused.tasks]);
    expect(newest(paused, { ...known, run: 2 }).tasks).toEqual([]);
  });

  test('leaves what has not changed the same object, so that it is not drawn again', () => {
    const next = newest(paused, plan(10));
    expect(next.tasks).toBe(paused.tasks);
  });
});
