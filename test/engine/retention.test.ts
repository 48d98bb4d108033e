import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileStores } from '../../src/activities/stores.ts';
import { loadConfig } from '../../src/config.ts';
import { cleanUp } from '../../src/engine/retention.ts';
import { caller, startWorld, until } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});

const pass = (retention: 'report' | 'remove') =>
  cleanUp(loadConfig({ HOLDPOINT_HOME: world.home, HOLDPOINT_RETENTION: retention }), world.client);

/** As if nobody had touched it for two days. */
function age(path: string): void {
  const then = new Date(Date.now() - 2 * 86_400_000);
  for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' })) utimesSync(join(path, name), then, then);
  utimesSync(path, then, then);
}

test('files of plans that Temporal has forgotten are told of, and removed only where that is wanted', async () => {
  const id = await world.create(
    `plan: 1\nname: kept\ntasks:\n  big: { run: "head -c 100000 /dev/zero | tr '\\\\0' x" }\n`,
  );
  await world.reaches(id, 'completed');
  await until('it is listed', async () =>
    (await world.service.list(caller, { name: 'kept', limit: 500 })).plans.some(({ plan_id }) => plan_id === id),
  );
  const [forgotten, fresh] = [randomUUID(), randomUUID()];
  const store = fileStores(world.home).artifacts;
  const { sha256 } = (await store.ofPlan(forgotten).putText('only its own')).$stored;
  // Shared with a plan that stays.
  await store.ofPlan(forgotten).putText('x'.repeat(100_000));
  for (const plan of [forgotten, fresh]) mkdirSync(join(world.home, 'runs', plan, 'logs'), { recursive: true });
  for (const folder of ['runs', 'artifacts']) age(join(world.home, folder));
  writeFileSync(join(world.home, 'runs', fresh, 'logs', 'a.log'), '');
  const { sha256: young } = (await store.putText('just stored')).$stored;

  const told = { plans: [forgotten], artifacts: 1, bytes: 12 };
  expect(await pass('report')).toEqual(told);
  expect(existsSync(join(world.home, 'runs', forgotten))).toBe(true);
  expect(await store.file(sha256)).toBeDefined();

  expect(await pass('remove')).toEqual(told);
  expect(readdirSync(join(world.home, 'runs')).sort()).toEqual([id, fresh].sort());
  expect(await store.file(sha256)).toBeUndefined();
  expect(await store.file(young)).toBeDefined();
  const [artifact] = await world.service.artifacts(caller, id);
  expect((await world.service.artifact(caller, id, artifact!.sha256)).bytes).toBe(100_000);
  expect(await pass('remove')).toEqual({ plans: [], artifacts: 0, bytes: 0 });
});

test('halves that killed workers left in the store are removed after a day, whatever is wanted of the rest', async () => {
  const store = join(world.home, 'artifacts');
  const [old, young] = [`.${randomUUID()}`, `.${randomUUID()}`];
  for (const name of [old, young]) writeFileSync(join(store, name), 'half');
  const then = new Date(Date.now() - 2 * 86_400_000);
  utimesSync(join(store, old), then, then);
  await pass('report');
  expect(readdirSync(store).filter((name) => [old, young].includes(name))).toEqual([young]);
});

test('where Temporal knows no plan at all, nothing is touched', async () => {
  const none = { workflow: { list: async function* () {} } } as unknown as typeof world.client;
  expect(
    await cleanUp(loadConfig({ HOLDPOINT_HOME: world.home, HOLDPOINT_RETENTION: 'remove' }), none),
  ).toBeUndefined();
});
