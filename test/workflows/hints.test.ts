import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PlanRef } from '../../src/contract/hints.ts';
import { caller, startWorld, until } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => await world.stop());

const GATE = 'plan: 1\nname: gate\ntasks:\n  ok: { approve: "Go on?" }\n';

/** The hints from now on, and how many there have been of a plan. */
function hints() {
  const seen: PlanRef[] = [];
  world.bus.subscribe((plan) => void seen.push(plan));
  return { seen, of: (id: string) => seen.filter(({ plan_id }) => plan_id === id).length };
}

test('a plan hints that it has moved, by its name alone, at its beginning and at every command', async () => {
  const { seen, of } = hints();
  const id = await world.create(GATE);
  await world.reaches(id, 'awaiting_input');
  expect(seen).toContainEqual({ org_id: 'local', plan_id: id });
  for (const name of ['pause', 'resume', 'stop'] as const) {
    const before = of(id);
    await world.command(id, name);
    await until(`${name} is hinted`, () => of(id) > before);
  }
});

test('a plan that is replayed does not hint, and one that has not moved does not either', async () => {
  const id = await world.create(GATE);
  await world.reaches(id, 'awaiting_input');
  await world.stopWorker();
  const { of } = hints();
  await world.startWorker();
  await world.read(id);
  expect(of(id)).toBe(0);
  await world.command(id, 'stop');
});

test('a question that opens in a sub-plan is hinted by the plan, which has it in its story; children hint nothing', async () => {
  const { seen } = hints();
  const id = await world.create(
    'plan: 1\nname: outer\ntasks:\n  in: { plan: { tasks: { ok: { approve: "Go on?" } } } }\n',
  );
  const asked = await until('the question is in the story', async () =>
    (await world.service.events(caller, id, 0)).find(({ type }) => type === 'QuestionOpened'),
  );
  expect(asked.question).toBe('in/ok.1');
  expect(new Set(seen.map(({ plan_id }) => plan_id))).toEqual(new Set([id]));
  await world.command(id, 'stop');
});
