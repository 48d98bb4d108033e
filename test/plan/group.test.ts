import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { askSlot, type GroupState, giveBackSlot, giveSlot, lineView, type Member } from '../../src/plan/group.ts';

const member = (plan_id: string, max = 1, ticket = 1): Member => ({ plan_id, run_id: 'r', ticket, max, since: 0 });
const empty = (): GroupState => ({ holders: [], line: [] });
const asked = (...members: Member[]) => {
  const state = empty();
  for (const one of members) askSlot(state, one);
  return state;
};
const given = (state: GroupState) => {
  const names: string[] = [];
  for (let next = giveSlot(state, 1); next; next = giveSlot(state, 1)) names.push(next.plan_id);
  return names;
};

describe('a group of plans', () => {
  test('slots go out in the order of asking, as many as there are', () => {
    const state = asked(member('a', 2), member('b', 2), member('c', 2));
    expect(given(state)).toEqual(['a', 'b']);
    expect(lineView(state, 'c')).toEqual({ place: 1, waiting: 1, running: 2, holders: ['a', 'b'] });
    giveBackSlot(state, { plan_id: 'a', ticket: 1 });
    expect(given(state)).toEqual(['c']);
  });

  test('the smallest number of those at work and of the next counts; nobody overtakes', () => {
    const state = asked(member('a', 3), member('b', 1), member('c', 3));
    expect(given(state)).toEqual(['a']);
    giveBackSlot(state, { plan_id: 'a', ticket: 1 });
    expect(given(state)).toEqual(['b']);
    giveBackSlot(state, { plan_id: 'b', ticket: 1 });
    expect(given(state)).toEqual(['c']);
  });

  test('asking again changes nothing, and tells who has its slot already', () => {
    const state = asked(member('a'), member('b'));
    given(state);
    expect(askSlot(state, member('a'))).toMatchObject({ plan_id: 'a', ticket: 1 });
    expect(askSlot(state, member('b'))).toBeUndefined();
    expect(lineView(state, 'b').place).toBe(1);
  });

  test('a newer ticket takes the place of an older, which is void from then on', () => {
    const state = asked(member('a', 1, 5), member('b'));
    given(state);
    askSlot(state, member('a', 1, 7));
    expect(given(state)).toEqual(['b']);
    askSlot(state, member('a', 1, 5));
    giveBackSlot(state, { plan_id: 'a', ticket: 5 });
    expect(lineView(state, 'a').place).toBe(1);
  });

  test('a plan that asks with an older ticket than that of its slot is told of the slot', () => {
    const state = asked(member('a', 1, 40));
    given(state);
    expect(askSlot(state, member('a', 1, 2))).toMatchObject({ ticket: 40 });
    expect(state.line).toEqual([]);
  });

  test('whatever is asked and given back: never too many at work, each plan once, and a free slot is never kept from the line', () => {
    const step = fc.record({
      ask: fc.boolean(),
      plan: fc.constantFrom('a', 'b', 'c', 'd'),
      max: fc.integer({ min: 1, max: 3 }),
      ticket: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const state = empty();
        for (const { ask, plan, max, ticket } of steps) {
          if (ask) askSlot(state, member(plan, max, ticket));
          else giveBackSlot(state, { plan_id: plan, ticket });
          given(state);
          const { holders, line } = state;
          const names = [...holders, ...line].map(({ plan_id }) => plan_id);
          expect(new Set(names).size).toBe(names.length);
          expect(holders.length).toBeLessThanOrEqual(Math.min(Infinity, ...holders.map((one) => one.max)));
          if (line.length > 0)
            expect(holders.length).toBeGreaterThanOrEqual(Math.min(line[0]!.max, ...holders.map((one) => one.max)));
        }
      }),
    );
  });
});
