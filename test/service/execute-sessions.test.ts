import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileStores } from '../../src/activities/stores.ts';
import type { Surface } from '../../src/plan/execute-session.ts';
import { createService } from '../../src/service/service.ts';
import { catalogOf, type Source, startSource } from '../support/source-stub.ts';
import { caller, startWorld, until } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
let source: Source;
beforeAll(async () => {
  world = await startWorld();
  source = await startSource(60);
});
afterAll(async () => {
  source.stop();
  await world.stop();
});

test('sessions in use are listed with their catalog, surface and operations, to their own organisation alone', async () => {
  const { execute } = world.service;
  const org_id = `org-${process.pid} 'x'/a`;
  const by = { ...caller, principal: { ...caller.principal, org_id } };
  const { prompt_hash } = await execute.registerCatalog(by, catalogOf(source));
  const run = (session: string, surface: Surface) =>
    execute.run(by, { prompt_hash, session, surface, program: 'Pokemon.limit(1)', wait: false, place: { env: {} } });
  const before = Date.now();
  await run('a/b', 'http');
  await run('a/b', 'http');
  await run('default', 'mcp');
  const listed = await until('all are listed', async () => {
    const sessions = await execute.sessions(by);
    return sessions.length === 2 && sessions.every(({ catalog }) => catalog !== null) && sessions;
  });
  expect(listed).toMatchObject([
    { prompt_hash, catalog: 'pokedex', session: 'default', surface: 'mcp', operations: 1 },
    { prompt_hash, catalog: 'pokedex', session: 'a/b', surface: 'http', operations: 2 },
  ]);
  for (const { last_used_at } of listed) expect(Date.parse(last_used_at!)).toBeGreaterThanOrEqual(before - 1_000);
  const others = { ...caller, principal: { ...caller.principal, org_id: `org-${process.pid}` } };
  expect(await execute.sessions(others)).toEqual([]);
});

test('when an operation was accepted is the same to all who ask, whatever they remember', async () => {
  const { execute } = world.service;
  const { prompt_hash } = await execute.registerCatalog(caller, catalogOf(source));
  const session = { prompt_hash, session: `${process.pid}-accepted`, surface: 'http' as const };
  await execute.run(caller, { ...session, program: 'Pokemon.limit(1)', wait: false, place: { env: {} } });
  const { accepted_at } = await execute.operation(caller, session, 's0_o1');
  const other = createService(world.client, fileStores(world.home), world.bus).execute;
  expect((await other.operation(caller, session, 's0_o1')).accepted_at).toBe(accepted_at);
  expect((await execute.operations(caller, session, {})).operations).toMatchObject([{ accepted_at }]);
});
