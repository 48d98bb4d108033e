import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPlanFile } from '../../src/service/plan-file.ts';
import { caller, startWorld, until } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});

const LARGE = `plan: 1\nname: large\ntasks:\n${Array.from({ length: 400 }, (_, i) => `  t${i}: { run: "echo ${'x'.repeat(100)}", if: ${i === 0} }\n`).join('')}`;

test.each([
  ['small', 'plan: 1\nname: small\ntasks:\n  a: { run: exit 1 }\n'],
  ['too large to be carried as it is', LARGE],
])('what a plan runs can be read, also when it has ended: %s', async (_, plan) => {
  const id = await world.create(plan);
  const { definition } = readPlanFile(plan);
  expect(await world.service.definition(caller, id)).toEqual(definition);
  await until('it has ended', async () =>
    ['completed', 'failed'].includes((await world.service.read(caller, id)).state.status),
  );
  expect(await world.service.definition(caller, id)).toEqual(definition);
});

test('of a plan that is not there it is said so', async () => {
  const missing = world.service.definition(caller, '00000000-0000-4000-8000-000000000000');
  await expect(missing).rejects.toMatchObject({ code: 'PLAN_NOT_FOUND' });
});
