import { Client } from '@temporalio/client';
import { afterEach, expect, test } from 'vitest';
import { fileStores } from '../../src/activities/stores.ts';
import { connectClient } from '../../src/temporal/connection.ts';
import { pokemon, readNode } from '../activities/program/attempt.ts';
import { pagedSource, pokemons } from '../activities/program/paged-source.ts';
import { http, newHome } from '../support/engine.ts';
import { dagOf, startProgram } from '../support/start-program.ts';
import { until } from '../support/world.ts';

let home: ReturnType<typeof newHome>;
let source: Awaited<ReturnType<typeof pagedSource>>;
afterEach(async () => {
  source.stop();
  await home.end();
});

test('kill -9 in the middle of a page, more often than a task may lose its worker: no page is read twice but the one that was asked for', async () => {
  home = newHome({ HOLDPOINT_ALLOW_PRIVATE_HOSTS: '127.0.0.1' });
  const killAt = [100, 250, 400, 800];
  let reached = -1;
  source = await pagedSource(pokemons(900), 50, (cursor) => {
    if (cursor !== killAt[0]) return undefined;
    reached = cursor;
    return new Promise(() => {});
  });
  let engine = await home.up();
  const connection = await connectClient({ address: engine.temporal });
  const filter = { filter: [{ field: 'base_experience', op: '>=' as const, value: 300 }] };
  const id = await startProgram(new Client({ connection }), dagOf([readNode(pokemon(source.url), [filter])]));
  await connection.close();
  while (killAt.length > 0) {
    await until(`the page at ${killAt[0]} is asked for`, () => reached === killAt[0], 60_000);
    await engine.kill();
    killAt.shift();
    engine = await home.up();
  }
  await until('it completes', async () => (await http(engine.url).state(id)) === 'completed', 60_000);
  const { rows } = fileStores(home.home);
  const { count, chunks, ended } = await rows.standing(id, 'n1');
  expect({ count, ended }).toEqual({ count: 600, ended: true });
  expect((await rows.read(id, chunks, 0, 1_000)).map((row) => row.id)).toEqual(
    pokemons(900)
      .slice(300)
      .map((row) => row.id),
  );
  const pages = [null, ...Array.from({ length: 17 }, (_, i) => String((i + 1) * 50))];
  const asked = source.asked();
  expect(asked.filter((cursor, i) => cursor !== asked[i - 1])).toEqual(pages);
  expect(asked).toHaveLength(18 + 4);
}, 240_000);
