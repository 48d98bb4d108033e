import { describe, expect, test } from 'vitest';
import type { Plan } from '../../src/console/api/types.ts';
import { byReason, verdict } from '../../src/console/plans/bulk/verdict.ts';
import { BULK_ACTIONS, BULK_REFUSALS } from '../../src/console/plans/bulk/words.ts';
import { extended, type List, merged, type Row } from '../../src/console/plans/merge.ts';
import { present } from '../../src/console/plans/present.ts';
import { allowsState, listSearch } from '../../src/console/plans/search.ts';
import { allows, PLAN_STATUSES, type PlanStatus } from '../../src/plan/lifecycle.ts';

const row = (plan_id: string, status: PlanStatus = 'executing', read_at = 0): Row => ({
  plan_id,
  name: plan_id,
  state: { status },
  owner: 'ada',
  created_at: '2026-01-02T03:04:05.000Z',
  ended_at: null,
  read_at,
});
const list = (ids: string, next_cursor: string | null = null): List => ({
  rows: [...ids].map((id) => row(id)),
  next_cursor,
});
const ids = ({ rows }: List) => rows.map(({ plan_id }) => plan_id).join('');
const ALL = { belongs: () => true, byState: false };

describe('the beginning of a list that is read again', () => {
  test('is the list where nothing was known, or all was read', () => {
    expect(merged(undefined, list('abc', 'next'), ALL)).toEqual(list('abc', 'next'));
    expect(merged(list('abcd'), list('ca'), ALL)).toEqual(list('ca'));
  });

  test('brings what is new to the top and loses nothing of what follows', () => {
    const next = merged(list('abcdefgh', 'after h'), list('xabc', 'after c'), ALL);
    expect([ids(next), next.next_cursor]).toEqual(['xabcdefgh', 'after h']);
  });

  test('leaves what has gone from its place where it was, for it stands further down now', () => {
    expect(ids(merged(list('abcdefgh', 'after h'), list('xacd', 'after d'), ALL))).toBe('xabcdefgh');
  });

  test('takes that away in a list of certain states', () => {
    const next = merged(list('abcdefgh', 'after h'), list('xacd', 'after d'), { ...ALL, byState: true });
    expect(ids(next)).toBe('xacdefgh');
  });

  test('takes away what does not belong to the list any more, wherever it is', () => {
    const belongs = ({ plan_id }: Row) => !'ag'.includes(plan_id);
    expect(ids(merged(list('abcdefgh', 'after h'), list('abcd', 'after d'), { ...ALL, belongs }))).toBe('bcdefh');
  });

  test('begins the list anew when so much is new that the old does not follow on it', () => {
    const next = merged(list('abcdefgh', 'after h'), list('stuvwx', 'after x'), ALL);
    expect([ids(next), next.next_cursor]).toEqual(['stuvwx', 'after x']);
  });

  test('takes a plan to the top that has begun again, once', () => {
    expect(ids(merged(list('abcdefgh', 'after h'), list('gabc', 'after c'), ALL))).toBe('gabcdefh');
  });
});

test('the next page comes at the end, without what is there already, which is newer by it', () => {
  const next = extended(list('abc', 'x'), { rows: [row('b', 'failed'), row('d')], next_cursor: null });
  expect([ids(next), next.next_cursor, next.rows[1]!.state.status]).toEqual(['abcd', null, 'failed']);
});

describe('the state of a row', () => {
  const plan = (seq: number, status: 'executing' | 'paused') => ({ seq, state: { status } }) as Plan;
  const heard = (seq: number, status: 'executing' | 'paused', heard_at: number) => ({
    seq,
    state: { status },
    heard_at,
  });
  const of = (...given: Parameters<typeof present>) => present(...given).state.status;
  const listed = row('a', 'stand_by', 100_000);

  test('is what the list says, unless something newer is known', () => {
    expect(of(listed, undefined, undefined, 0)).toBe('stand_by');
    expect(of(listed, heard(3, 'paused', 99_000), undefined, 0)).toBe('paused');
    expect(of(listed, heard(3, 'paused', 90_000), undefined, 0)).toBe('stand_by');
  });

  test('is the newer by number of what was heard and what was read of the plan', () => {
    expect(of(listed, heard(3, 'paused', 99_000), plan(2, 'executing'), 101_000)).toBe('paused');
    expect(of(listed, heard(3, 'paused', 99_000), plan(4, 'executing'), 101_000)).toBe('executing');
    expect(of(listed, undefined, plan(4, 'executing'), 90_000)).toBe('stand_by');
  });
});

describe('what a command would do', () => {
  const plan = (status: PlanStatus, more: Partial<Plan> = {}) =>
    ({ state: { status }, pausing: false, stopping: false, allowed_actions: [...BULK_ACTIONS], ...more }) as Plan;

  test.each(BULK_ACTIONS)('%s: every state that does not allow it has words for why', (action) => {
    const refusing = PLAN_STATUSES.filter((status) => !allows(action, { status, pausing: false, stopping: false }));
    expect(refusing.filter((status) => BULK_REFUSALS[action][status] === undefined)).toEqual([]);
    expect(BULK_REFUSALS[action].stopping).toBeDefined();
  });

  test('to a plan whose task runs comes later', () => {
    expect(verdict('pause', row('a'), plan('executing')).is).toBe('later');
    expect(verdict('pause', row('a'), plan('stand_by')).is).toBe('ready');
  });

  test('is nothing where the plan does not allow it, whatever its state', () => {
    expect(verdict('pause', row('a'), plan('executing', { pausing: true }))).toMatchObject({
      is: 'refused',
      why: 'being paused already',
    });
    expect(verdict('stop', row('a'), plan('paused', { allowed_actions: [] })).is).toBe('refused');
  });

  test('is told by reason', () => {
    const refused = (id: string, why: string) => ({ row: row(id), is: 'refused', why }) as const;
    const reasons = byReason([refused('a', 'x'), { row: row('b'), is: 'ready' }, refused('c', 'y'), refused('d', 'x')]);
    expect(reasons.map(([why, rows]) => [why, ids({ rows, next_cursor: null })])).toEqual([
      ['x', 'ad'],
      ['y', 'c'],
    ]);
  });
});

test.each([
  [
    { state: ['paused', 'nonsense', 'failed'], name: 'x' },
    { state: 'paused,failed', name: 'x' },
  ],
  [
    { state: 'failed,paused', name: 7, label: 'a=b' },
    { state: 'paused,failed', name: '7', label: ['a=b'] },
  ],
  [{ state: 3, mine: 'yes', attention: true, more: 1, label: ['none'] }, { attention: true }],
])('the address %j of the list means %j', (search, means) => expect(listSearch(search)).toEqual(means));

test('filters of states go together: both have to hold', () => {
  expect(allowsState({ state: 'paused,executing', attention: true }, 'paused')).toBe(true);
  expect(allowsState({ state: 'paused,executing', attention: true }, 'executing')).toBe(false);
  expect(allowsState({ state: 'paused' }, 'failed')).toBe(false);
  expect(allowsState({}, 'failed')).toBe(true);
});
