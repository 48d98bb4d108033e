import { afterAll, beforeAll, expect, test } from 'vitest';
import { caller } from '../support/world.ts';
import { startApi } from './real.ts';

let api: Awaited<ReturnType<typeof startApi>>;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

test('a plan that is left paused and polled over REST gains no history (case 22)', async () => {
  const { world } = api;
  const id = await world.create(
    'plan: 1\nname: idle\ntasks:\n  ok: { approve: Go? }\n  b: { needs: [ok], run: "true" }\n',
  );
  await world.reaches(id, 'awaiting_input');
  await world.service.command(caller, id, 'pause');
  await world.reaches(id, 'paused');
  const before = (await world.history(id)).length;
  for (let i = 0; i < 100; i++) {
    const { status, json } = await api.ask(`/api/plans/${id}`);
    expect([status, json.state.status]).toEqual([200, 'paused']);
  }
  expect((await world.history(id)).length).toBe(before);
});
