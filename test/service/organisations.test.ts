import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asFault } from '../../src/faults.ts';
import { type Caller, localCaller } from '../../src/service/caller.ts';
import { PLACE } from '../api/serve.ts';
import { startWorld, until } from '../support/world.ts';

/** One query that is not taken as plain text shows another organisation's plans: this is asked of the real server. */
let world: Awaited<ReturnType<typeof startWorld>>;
const of = (org_id: string): Caller => ({ ...localCaller('test'), principal: { id: 'ada', name: 'Ada', org_id } });
const mine = `mine-${process.pid}`;
/** The same but for the case of its letters: there are databases to which this is the same. */
const other = mine.toUpperCase();
const names = ["it's", 'a "quoted" \\ plan', "x' OR HoldpointOrg != '", '100%_', "'first", '"', 'é…'];

beforeAll(async () => {
  world = await startWorld();
  for (const org of [mine, other])
    for (const name of names) {
      const plan = JSON.stringify({ plan: 1, name, tasks: { ok: { approve: 'Go on?' } } });
      await world.service.create(of(org), { plan, place: PLACE });
    }
  for (const org of [mine, other])
    await until('they are listed', async () => (await world.service.list(of(org))).plans.length === names.length);
});
afterAll(() => world.stop());

test.each(names)('plans named %s are found by their name', async (name) => {
  const { plans } = await world.service.list(of(mine), { name });
  expect(plans.map((plan) => plan.name)).toEqual([name]);
});

const pieces = fc.constantFrom(
  ...[
    "'",
    '"',
    '\\',
    '`',
    ';',
    '--',
    '/*',
    '\0',
    '\n',
    '%',
    '_',
    ')',
    '(',
    ' OR ',
    ' AND ',
    ' != ',
    ' IS NULL',
    'HoldpointOrg',
  ],
  ...[other, mine, 'ORDER BY', 'ExecutionStatus', "''", "\\'", '\ud800', 'é', '…'],
);
const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
);

/** What Temporal takes at all. */
const sendable = nasty.map((text) => `${text.replace(/[\p{Cs}\0]/gu, '')}'`);

test('whatever is asked for, only the plans of one’s own organisation are shown', async () => {
  const own = new Set((await world.service.list(of(mine))).plans.map(({ plan_id }) => plan_id));
  expect(own.size).toBe(names.length);
  await fc.assert(
    fc.asyncProperty(nasty, async (name) => {
      const answer = world.service.list(of(mine), { name });
      // No plan can have such a name.
      if (/\p{Cc}/u.test(name)) {
        await expect(answer).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
        return;
      }
      const { plans } = await answer;
      for (const plan of plans) expect(own).toContain(plan.plan_id);
      expect(plans.every((plan) => plan.name === name)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test('an organisation’s name is no way out of it either, were it ever not checked before', async () => {
  await fc.assert(
    fc.asyncProperty(sendable, async (text) => {
      const org = `${mine}${text}`;
      const { plans } = await world.service.list(of(org));
      expect(plans).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test('a page of a list is no key to another organisation’s', async () => {
  const { next_cursor } = await world.service.list(of(other), { limit: 1 });
  const answer = await world.service.list(of(mine), { limit: 1, cursor: next_cursor! }).catch(asFault);
  const plans = 'plans' in answer ? answer.plans : [];
  const own = new Set((await world.service.list(of(mine))).plans.map(({ plan_id }) => plan_id));
  for (const plan of plans) expect(own).toContain(plan.plan_id);
});
