import { expect, test } from 'vitest';
import type { Task } from '../../src/console/api/types.ts';
import { holdOffer, isHeld, type Standing } from '../../src/console/plan/graph/hold.ts';

const me = { permissions: ['plan:read', 'plan:approve'] as const };
const plan = (more: Partial<Standing> = {}): Standing => ({
  plan_id: 'p',
  state: { status: 'executing' },
  pausing: false,
  stopping: false,
  allowed_actions: ['hold', 'release'],
  ...more,
});
const task = (more: Partial<Task> = {}): Task => ({
  id: 'build',
  kind: 'run',
  status: 'pending',
  attempt: 0,
  max_attempts: 1,
  needs: [],
  ...more,
});
const offer = (at: Standing, of: Task, permissions: readonly 'plan:approve'[] | typeof me.permissions) =>
  holdOffer(at, of, { permissions: [...permissions] });

test('what has not begun can be held, and what is held released', () => {
  const hold = { since: '2026-01-01T00:00:00Z', by: 'Ada' };
  expect(offer(plan(), task(), me.permissions)).toEqual({ action: 'hold' });
  expect(offer(plan(), task({ status: 'backing_off' }), me.permissions)).toEqual({ action: 'hold' });
  expect(offer(plan(), task({ hold }), me.permissions)).toEqual({ action: 'release' });
});

test.each([
  ['runs', plan(), task({ status: 'running' }), me.permissions, /running/],
  ['has ended', plan(), task({ status: 'succeeded' }), me.permissions, /succeeded/],
  [
    'is of a plan that has ended',
    plan({ allowed_actions: [], state: { status: 'failed' } }),
    task(),
    me.permissions,
    /failed/,
  ],
  ['is of a plan that is being stopped', plan({ stopping: true }), task(), me.permissions, /stopped/],
  ['is not for this person to hold', plan(), task(), [], /plan:approve/],
] as const)('a task that %s is refused, with the reason', (_, at, of, permissions, why) => {
  expect(offer(at, of, permissions).refusal).toMatch(why);
});

test('a task inside a sub-plan may be held although the plan has none of its own to hold', () => {
  const inner = task({ id: 'build/push' });
  expect(offer(plan({ allowed_actions: ['stop'] }), inner, me.permissions)).toEqual({ action: 'hold' });
  expect(offer(plan({ allowed_actions: ['stop'] }), task(), me.permissions).refusal).toBeDefined();
});

test('a hold point of a task that was cancelled holds nothing', () => {
  const hold = { since: '2026-01-01T00:00:00Z', by: 'Ada' };
  expect(isHeld(task({ hold }))).toBe(true);
  expect(isHeld(task({ hold, status: 'cancelled' }))).toBe(false);
  expect(offer(plan(), task({ hold, status: 'cancelled' }), me.permissions).refusal).toMatch(/cancelled/);
});
