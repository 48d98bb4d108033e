import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pack } from '../../src/contract/packed.ts';
import { PAYLOAD_LIMIT_BYTES } from '../../src/contract/payload-size.ts';
import { carriedLedger, ledgerFrom } from '../../src/plan/carried-ledger.ts';
import {
  type CallTold,
  changeBudget,
  changeLimits,
  emptyLedger,
  type Ledger,
  type Limits,
  OVERDUE_MS,
  outcomeOf,
  reserve,
  type Scopes,
  settle,
  spentOf,
  wouldBreak,
} from '../../src/plan/ledger.ts';

const NOON = Date.UTC(2026, 0, 15, 12);
const call = (id: string, tokens: number, more: Partial<CallTold> = {}): CallTold => ({
  id,
  tokens,
  cost: 0,
  scopes: { plan: 'p', chat: 'c', project: 'x' },
  ...more,
});
const withLimits = (limits: Partial<Limits>): Ledger => {
  const ledger = emptyLedger();
  changeLimits(ledger, limits);
  return ledger;
};
const asked = (ledger: Ledger, told: CallTold, now = NOON) => {
  reserve(ledger, told, now);
  return outcomeOf(ledger, told.id);
};
const tokens = (ledger: Ledger, key: string) => {
  const { tokens: spent, reserved } = spentOf(ledger, key);
  return [spent, reserved.tokens];
};

describe('a reservation', () => {
  test('counts at once, so that calls side by side cannot overspend together', () => {
    const ledger = withLimits({ maxTokensPerChat: 1_000 });
    expect(asked(ledger, call('a#1.1.1', 600))).toEqual({ granted: true });
    expect(asked(ledger, call('b#1.1.1', 600))).toEqual({
      granted: false,
      limit: 'chat',
      spent: 600,
      max: 1_000,
      needed: 600,
      unit: 'tokens',
    });
    settle(ledger, call('a#1.1.1', 100), NOON);
    expect(asked(ledger, call('b#1.2.1', 600))).toEqual({ granted: true });
    expect(tokens(ledger, 'chat:c')).toEqual([100, 600]);
  });

  test('has the same answer however often it is asked for', () => {
    const ledger = withLimits({ maxTokensPerDay: 100 });
    for (const _ of [1, 2]) expect(asked(ledger, call('a#1.1.1', 80))).toMatchObject({ granted: true });
    expect(tokens(ledger, 'day:2026-01-15')).toEqual([0, 80]);
    expect(asked(ledger, call('b#1.1.1', 80))).toMatchObject({ granted: false, limit: 'day_tokens' });
    changeLimits(ledger, { maxTokensPerDay: null });
    expect(asked(ledger, call('b#1.1.1', 80))).toMatchObject({ granted: false });
    expect(asked(ledger, call('b#1.2.1', 80))).toMatchObject({ granted: true });
  });

  test.each<[keyof Limits | 'budget', string, string]>([
    ['maxTokensPerChat', 'chat', 'tokens'],
    ['maxTokensPerDay', 'day_tokens', 'tokens'],
    ['maxCostPerDay', 'day_cost', 'cost'],
    ['maxCostPerProject', 'project', 'cost'],
    ['budget', 'plan', 'tokens'],
  ])('%s is one of its limits', (name, limit, unit) => {
    const ledger = name === 'budget' ? emptyLedger() : withLimits({ [name]: 1 });
    const scopes: Scopes = {
      plan: 'p',
      chat: 'c',
      project: 'x',
      ...(name === 'budget' && { budget: { max_tokens: 1 } }),
    };
    expect(asked(ledger, call('a#1.1.1', 2, { cost: 2, scopes }))).toMatchObject({ limit, unit, max: 1, needed: 2 });
  });

  test('a day ends at midnight, UTC', () => {
    const ledger = withLimits({ maxTokensPerDay: 100 });
    settle(ledger, call('a#1.1.1', 100), NOON);
    expect(wouldBreak(ledger, call('', 1), NOON)).toMatchObject({ limit: 'day_tokens', spent: 100 });
    expect(wouldBreak(ledger, call('', 1), NOON + 12 * 3_600_000)).toBeUndefined();
  });

  test('of an attempt that is made anew is dropped; settled all the same, it counts', () => {
    const ledger = withLimits({ maxTokensPerChat: 100 });
    asked(ledger, call('p/0/a#1.1.1', 80));
    expect(asked(ledger, call('p/0/b#1.1.1', 30))).toMatchObject({ granted: false });
    expect(asked(ledger, call('p/0/a#1.2.1', 80))).toMatchObject({ granted: true });
    expect(tokens(ledger, 'chat:c')).toEqual([0, 80]);
    settle(ledger, call('p/0/a#1.1.1', 70), NOON);
    expect(tokens(ledger, 'chat:c')).toEqual([70, 80]);
  });

  test('of an attempt that was made anew meanwhile is not taken: it came from a worker that is dead', () => {
    const ledger = emptyLedger();
    asked(ledger, call('p/0/a#1.2.1', 80));
    reserve(ledger, call('p/0/a#1.1.2', 30), NOON);
    expect([tokens(ledger, 'chat:c'), outcomeOf(ledger, 'p/0/a#1.1.2')]).toEqual([[0, 80], undefined]);
    settle(ledger, call('p/0/a#1.2.1', 70), NOON);
    reserve(ledger, call('p/0/a#1.1.3', 30), NOON);
    expect(tokens(ledger, 'chat:c')).toEqual([70, 0]);
    // Its next call, and its next attempt, are.
    expect(asked(ledger, call('p/0/a#1.2.2', 30))).toMatchObject({ granted: true });
    expect(asked(ledger, call('p/0/a#2.1.1', 30))).toMatchObject({ granted: true });
  });

  test('that nobody settles counts as spent after an hour, until somebody does', () => {
    const ledger = emptyLedger();
    asked(ledger, call('a#1.1.1', 80));
    asked(ledger, call('b#1.1.1', 1), NOON + OVERDUE_MS);
    expect(tokens(ledger, 'chat:c')).toEqual([80, 1]);
    settle(ledger, call('a#1.1.1', 50), NOON + OVERDUE_MS);
    expect(tokens(ledger, 'chat:c')).toEqual([50, 1]);
  });

  test('warns once when most of a limit is spent, and again when that was changed', () => {
    const ledger = withLimits({ maxTokensPerChat: 100 });
    expect(asked(ledger, call('a#1.1.1', 79))).toEqual({ granted: true });
    const warning = { limit: 'chat', scope: 'chat:c', spent: 80, max: 100, unit: 'tokens' };
    expect(asked(ledger, call('b#1.1.1', 1))).toEqual({ granted: true, warnings: [warning] });
    expect(asked(ledger, call('d#1.1.1', 1))).toEqual({ granted: true });
    changeLimits(ledger, { maxTokensPerChat: 101 });
    expect(asked(ledger, call('e#1.1.1', 1))).toMatchObject({ warnings: [{ max: 101 }] });
  });
});

describe('a budget', () => {
  const scopes: Scopes = { plan: 'p', budget: { max_tokens: 100, max_cost: 5 } };

  test('is what the plan file says until it is changed; the change wins from then on', () => {
    const ledger = emptyLedger();
    settle(ledger, call('a#1.1.1', 100, { scopes }), NOON);
    expect(asked(ledger, call('b#1.1.1', 1, { scopes }))).toMatchObject({ limit: 'plan', spent: 100, max: 100 });
    changeBudget(ledger, 'p', { max_tokens: 50 });
    expect(wouldBreak(ledger, call('', 1, { scopes: { plan: 'p' } }), NOON)).toMatchObject({ max: 50 });
    changeBudget(ledger, 'p', { max_tokens: 200 });
    expect(asked(ledger, call('b#1.2.1', 100, { scopes }))).toMatchObject({ granted: true });
    expect(wouldBreak(ledger, call('', 0, { cost: 6, scopes: { plan: 'p' } }), NOON)).toMatchObject({
      unit: 'cost',
      max: 5,
    });
  });
});

interface Step {
  what: 'reserve' | 'settle';
  n: number;
  estimate: number;
  actual: number;
}
const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('reserve', 'settle'),
  n: fc.nat(12),
  estimate: fc.integer({ min: 1, max: 400 }),
  actual: fc.nat(600),
});

describe('whatever is told, and in whatever order', () => {
  test('what is spent is never over the limit by more than calls in flight were over their estimates', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const ledger = withLimits({ maxTokensPerChat: 1_000 });
        const open = new Map<string, number>();
        const settled = new Set<string>();
        let over = 0;
        let spent = 0;
        for (const { what, n, estimate, actual } of steps) {
          const id = `t${n}#1.1.1`;
          if (what === 'reserve') {
            const isNew = outcomeOf(ledger, id) === undefined;
            const answer = asked(ledger, call(id, estimate));
            if (isNew && answer?.granted) open.set(id, estimate);
          } else if (open.has(id) || settled.has(id)) {
            settle(ledger, call(id, actual), NOON);
            if (settled.has(id)) continue;
            over += Math.max(0, actual - open.get(id)!);
            spent += actual;
            settled.add(id);
            open.delete(id);
          }
          expect(tokens(ledger, 'chat:c')).toEqual([spent, [...open.values()].reduce((a, b) => a + b, 0)]);
          expect(spent).toBeLessThanOrEqual(1_000 + over);
        }
      }),
    );
  });

  test('settlements come to the same sum, each once', () => {
    const settlement = fc.record({ n: fc.nat(20), at: fc.nat(5) });
    fc.assert(
      fc.property(fc.array(settlement, { maxLength: 40 }), fc.infiniteStream(fc.nat()), (list, order) => {
        // Prices that no binary fraction is exact for.
        const told = list.map(({ n }) => call(`t${n}#1.1.1`, n, { cost: n * 0.1 }));
        const sumOf = (all: CallTold[]) => {
          const ledger = emptyLedger();
          for (const one of all) settle(ledger, one, NOON);
          return spentOf(ledger, 'project:x');
        };
        const mixed = [...told, ...told]
          .map((one) => [order.next().value as number, one] as const)
          .sort(([a], [b]) => a - b)
          .map(([, one]) => one);
        expect(sumOf(mixed)).toEqual(sumOf(told));
      }),
    );
  });

  test('a ledger that is carried over goes on as it was', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.array(step, { maxLength: 30 }), (before, after) => {
        const take = (ledger: Ledger, steps: Step[]) => {
          for (const { what, n, estimate, actual } of steps)
            if (what === 'reserve') reserve(ledger, call(`t${n}#1.1.1`, estimate), NOON);
            else settle(ledger, call(`t${n}#1.1.1`, actual), NOON);
          return ledger;
        };
        const through = take(withLimits({ maxTokensPerChat: 1_000 }), before);
        const carried = ledgerFrom(JSON.parse(JSON.stringify(carriedLedger(through))));
        take(through, after);
        take(carried, after);
        expect(tokens(carried, 'chat:c')).toEqual(tokens(through, 'chat:c'));
        for (let n = 0; n <= 12; n++)
          expect(outcomeOf(carried, `t${n}#1.1.1`)?.granted).toEqual(outcomeOf(through, `t${n}#1.1.1`)?.granted);
      }),
    );
  });
});

test('however much is told, it fits one payload', () => {
  const ledger = withLimits({ maxTokensPerChat: 1_000_000 });
  for (let n = 0; n < 15_000; n++) {
    const plan = crypto.randomUUID();
    const told = call(`${plan}/0/some-task-of-it#1.1.1`, n, {
      cost: n / 7,
      scopes: { plan, chat: crypto.randomUUID() },
    });
    reserve(ledger, told, NOON);
    settle(ledger, told, NOON);
  }
  expect(JSON.stringify(pack(carriedLedger(ledger))).length).toBeLessThan(PAYLOAD_LIMIT_BYTES);
});
