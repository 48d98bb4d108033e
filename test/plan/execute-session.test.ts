import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  accept,
  carriedSession,
  commit,
  known,
  leftMs,
  MOST,
  NO_HANDLES,
  newSession,
  numberOf,
  PROGRAM_HEAD,
  page,
  type Session,
  sessionFrom,
} from '../../src/plan/execute-session.ts';

const TTL = 600_000;
const fresh = () => newSession(NO_HANDLES, 0);
const operation = (request_id: string) => ({
  request_id,
  plan_id: `plan of ${request_id}`,
  commit_id: 'c',
  verdict: 'ok' as const,
  program: 'Pokemon',
});
const run = (commit_id: string) => ({ commit_id, verdict: 'review' as const, expensive: true });
const place = (key: string) => ({ key, place: { at: key } });

describe('operations', () => {
  test('count from 1, and the same request has the handle it has', () => {
    const session = fresh();
    for (const request of ['a', 'b', 'a', 'c', 'b']) accept(session, operation(request), 5);
    expect(['a', 'b', 'c'].map((one) => numberOf(session, 'operations', one))).toEqual([1, 2, 3]);
    expect(session.counters.operations).toBe(3);
    expect(session.operations.get(2)).toMatchObject({ n: 2, plan_id: 'plan of b', at: 5 });
  });

  test('were accepted when they were asked for, whenever the session hears of it; of what lacks that, when it hears', () => {
    const session = fresh();
    accept(session, { ...operation('a'), at: 3 }, 50);
    accept(session, operation('b'), 50);
    for (const [i, at] of [-1, 9e15, 'now', null].entries())
      accept(session, { ...operation(`by hand ${i}`), at: at as number }, 50);
    expect(Array.from(session.operations.values(), ({ at }) => at)).toEqual([3, 50, 50, 50, 50, 50]);
    expect(session.used_at).toBe(50);
  });

  test('keep the first words of their program', () => {
    const session = fresh();
    accept(session, { ...operation('a'), program: 'x'.repeat(9_999) }, 0);
    expect(session.operations.get(1)!.program).toHaveLength(PROGRAM_HEAD);
  });

  test('beyond the newest thousand have expired, and are not given again', () => {
    const session = fresh();
    for (let i = 1; i <= MOST.operations + 2; i++) accept(session, operation(`r${i}`), 0);
    const { counters, operations } = session;
    expect(known('operations', 2, counters, operations.get(2))).toEqual({ is: 'expired' });
    expect(known('operations', 3, counters, operations.get(3))).toMatchObject({ is: 'kept' });
    expect(known('operations', 1_003, counters, operations.get(1_003))).toEqual({ is: 'unknown', last: 1_002 });
    expect(known('operations', 0, counters, undefined)).toMatchObject({ is: 'unknown' });
    // What it was accepted with is forgotten with it.
    accept(session, operation('r1'), 0);
    expect(numberOf(session, 'operations', 'r1')).toBe(MOST.operations + 3);
  });
});

describe('tokens of dry runs', () => {
  test('hold from when they were asked for', () => {
    const session = fresh();
    commit(session, { ...run('x'), at: 3 }, TTL, 50);
    expect(session.commits.get(0)).toEqual({ ...run('x'), n: 0, expires_at: TTL + 3 });
    commit(session, { ...run('x'), at: 7 }, TTL, 60);
    expect(session.commits.get(0)).toEqual({ ...run('x'), n: 0, expires_at: TTL + 7 });
  });

  test('count from 0; what has one that holds keeps it, and it holds anew', () => {
    const session = fresh();
    commit(session, run('x'), TTL, 0);
    commit(session, run('y'), TTL, 1_000);
    commit(session, run('x'), TTL, TTL - 1);
    expect([numberOf(session, 'commits', 'x'), numberOf(session, 'commits', 'y')]).toEqual([0, 1]);
    expect(session.commits.get(0)!.expires_at).toBe(2 * TTL - 1);
  });

  test('that have expired are given as others', () => {
    const session = fresh();
    commit(session, run('x'), TTL, 0);
    commit(session, run('x'), TTL, TTL);
    expect(numberOf(session, 'commits', 'x')).toBe(1);
    expect(session.commits.get(0)!.expires_at).toBe(TTL);
    expect(known('commits', 0, session.counters, session.commits.get(0))).toMatchObject({ is: 'kept' });
    expect(known('commits', 2, session.counters, undefined)).toEqual({ is: 'unknown', last: 1 });
  });
});

test('the same place has the same page, another place another', () => {
  const session = fresh();
  for (const key of ['a', 'b', 'a']) page(session, place(key), 0);
  expect(['a', 'b', 'c'].map((key) => numberOf(session, 'pages', key))).toEqual([1, 2, undefined]);
});

test('whatever uses it makes it live longer', () => {
  const session = fresh();
  expect(leftMs(session, 100, 99)).toBe(1);
  for (const [i, use] of [
    () => accept(session, operation('a'), 10),
    () => commit(session, run('x'), TTL, 20),
    () => page(session, place('k'), 30),
    () => accept(session, operation('a'), 40),
    () => page(session, place('k'), 50),
  ].entries()) {
    use();
    expect(session.used_at).toBe(10 * (i + 1));
  }
});

test('one that follows goes on counting, and has nothing of what was before', () => {
  const before = fresh();
  accept(before, operation('a'), 0);
  commit(before, run('x'), TTL, 0);
  page(before, place('k'), 0);
  const after = newSession(before.counters, 1);
  expect(known('operations', 1, after.counters, after.operations.get(1))).toEqual({ is: 'expired' });
  expect(known('commits', 0, after.counters, after.commits.get(0))).toEqual({ is: 'expired' });
  accept(after, operation('a'), 1);
  commit(after, run('x'), TTL, 1);
  expect([numberOf(after, 'operations', 'a'), numberOf(after, 'commits', 'x')]).toEqual([2, 1]);
});

const steps = fc.array(
  fc.tuple(fc.constantFrom('accept', 'commit', 'page'), fc.integer({ min: 0, max: 12 }), fc.nat(TTL)),
  { maxLength: 60 },
);
const apply = (session: Session, told: [string, number, number][]) => {
  let now = 0;
  for (const [what, key, later] of told) {
    now += later;
    if (what === 'accept') accept(session, operation(`${key}`), now);
    else if (what === 'commit') commit(session, run(`${key}`), TTL, now);
    else page(session, place(`${key}`), now);
  }
};

test('carried to another history at any moment, it is the same', () => {
  fc.assert(
    fc.property(steps, fc.nat(60), (told, at) => {
      const [one, other] = [fresh(), fresh()];
      apply(one, told);
      apply(other, told.slice(0, at));
      const moved = sessionFrom(JSON.parse(JSON.stringify(carriedSession(other))));
      const before = told.slice(0, at).reduce((sum, [, , later]) => sum + later, 0);
      apply(
        moved,
        told.slice(at).map(([what, key, later], i) => [what, key, later + (i === 0 ? before : 0)]),
      );
      expect(carriedSession(moved)).toEqual(carriedSession(one));
    }),
  );
});

test('however it is told, no number is given for two things', () => {
  fc.assert(
    fc.property(steps, (told) => {
      const session = fresh();
      apply(session, told);
      const { operations, commits, pages, counters } = session;
      expect([...operations.keys()]).toEqual(Array.from({ length: counters.operations }, (_, i) => i + 1));
      expect([...commits.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: counters.commits }, (_, i) => i));
      expect([...pages.keys()]).toEqual(Array.from({ length: counters.pages }, (_, i) => i + 1));
    }),
  );
});
