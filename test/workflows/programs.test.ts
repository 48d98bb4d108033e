import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { fileStores } from '../../src/activities/stores.ts';
import type { JsonObject } from '../../src/plan/json.ts';
import type { RowOp } from '../../src/program/dag.ts';
import { pokemon, readNode } from '../activities/program/attempt.ts';
import { pagedSource, pokemons } from '../activities/program/paged-source.ts';
import { dagOf, startProgram } from '../support/start-program.ts';
import { caller, startWorld, until } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
let rows: ReturnType<typeof fileStores>['rows'];
beforeAll(async () => {
  world = await startWorld();
  ({ rows } = fileStores(world.home));
});
afterAll(() => world.stop());

const servers: { stop(): void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.stop();
});
async function source(...parameters: Parameters<typeof pagedSource>) {
  const server = await pagedSource(...parameters);
  servers.push(server);
  return server;
}

const STRONG: RowOp = { filter: [{ field: 'base_experience', op: '>=', value: 300 }] };
const sortNode = {
  id: 'n2',
  op: 'rows' as const,
  from: 'n1',
  ops: [{ sort: [{ field: 'id', desc: true }] }, { limit: 3 }],
};
const all = async (plan: string, node = 'n1') => rows.read(plan, (await rows.standing(plan, node)).chunks, 0, 100_000);

describe('a program', () => {
  test('is run as a plan: its reads, then what is done to their rows; what each has left is an output of its task', async () => {
    const { url } = await source(pokemons(900), 50);
    const id = await startProgram(world.client, dagOf([readNode(pokemon(url), [STRONG]), sortNode]));
    const { tasks } = await world.reaches(id, 'completed');
    expect(tasks.map(({ kind, outputs }) => [kind, (outputs as JsonObject).count])).toEqual([
      ['read', 600],
      ['rows', 3],
    ]);
    expect((await all(id, 'n2')).map((row) => row.id)).toEqual([900, 899, 898]);
    expect((await rows.lines(id)).map(({ n, step, total, label }) => [n, `${step}/${total} ${label}`])).toEqual([
      [2, '1/2 Pokemon'],
      [3, '2/2 n2'],
    ]);
    const artifacts = await world.service.artifacts(caller, id);
    expect(artifacts.map(({ task, output, form }) => [task, output, form])).toEqual([
      ['n1', 'chunks', 'json'],
      ['n2', 'chunks', 'json'],
    ]);
  });

  test('goes on where a page of another one ended', async () => {
    const { url } = await source(pokemons(100), 30);
    const dag = dagOf([readNode(pokemon(url), [], { page_size: 40 })]);
    const first = await startProgram(world.client, dag);
    await world.reaches(first, 'completed');
    const { next } = await rows.standing(first, 'n1');
    const second = await startProgram(world.client, dag, { from: { node: 'n1', at: next! } });
    await world.reaches(second, 'completed');
    expect((await all(second)).map(({ id }) => id)).toEqual(
      pokemons(80)
        .slice(40)
        .map(({ id }) => id),
    );
  });

  test('fails with what its source answered', async () => {
    const { url } = await source(
      pokemons(100),
      50,
      (cursor, response) => cursor === 50 && response.writeHead(404).end('gone'),
    );
    const id = await startProgram(world.client, dagOf([readNode(pokemon(url))]));
    const { error, tasks } = await world.reaches(id, 'failed');
    expect(error!.message).toMatch(/page 2: GET http.* → 404 Not Found/);
    expect(tasks[0]!.attempt).toBe(1);
    expect((await rows.standing(id, 'n1')).count).toBe(50);
  });

  test('is tried again while its source fails, and goes on behind what was read', async () => {
    let failures = 4;
    const { url, asked } = await source(pokemons(150), 50, (cursor, response) => {
      if (cursor === 100 && failures-- > 0) response.writeHead(503).end();
    });
    const id = await startProgram(world.client, dagOf([readNode(pokemon(url))]));
    const { tasks } = await world.reaches(id, 'completed');
    expect(tasks[0]!.attempt).toBe(2);
    expect(asked()).toEqual([null, '50', '100', '100', '100', '100', '100']);
  });
});

describe('stopped in the middle', () => {
  const stuck = (at: number) =>
    source(pokemons(900), 50, (cursor) => (cursor === at ? new Promise(() => {}) : undefined));

  test('what was read is kept, and nothing more is asked for', async () => {
    const { url, seen } = await stuck(200);
    const id = await startProgram(world.client, dagOf([readNode(pokemon(url)), sortNode]));
    await until('the fifth page is asked for', () => seen.length === 5);
    await world.command(id, 'stop');
    await world.reaches(id, 'stopped');
    expect(await all(id)).toEqual(pokemons(200));
    expect(seen).toHaveLength(5);
    expect(await rows.standing(id, 'n2')).toEqual({ count: 0, chunks: [], ended: false });
  });

  test('at once when it is halted too', async () => {
    const { url, seen } = await stuck(200);
    const id = await startProgram(world.client, dagOf([readNode(pokemon(url))]));
    await until('the fifth page is asked for', () => seen.length === 5);
    await world.command(id, 'stop');
    await rows.halt(id);
    await world.reaches(id, 'stopped');
    expect((await rows.standing(id, 'n1')).count).toBe(200);
  });

  test('halted and never told to stop, it goes on', async () => {
    let slow = true;
    const { url, asked } = await source(pokemons(100), 50, (cursor) =>
      cursor === 50 && slow ? new Promise(() => {}) : undefined,
    );
    const id = await startProgram(world.client, dagOf([readNode(pokemon(url))]));
    await until('the second page is asked for', () => asked().length === 2);
    slow = false;
    await rows.halt(id);
    await world.reaches(id, 'completed');
    expect(asked()).toEqual([null, '50', '50']);
  });
});

test('a worker that goes away between two pages: its successor asks for the others alone', async () => {
  let slow = true;
  const { url, asked } = await source(pokemons(300), 50, (cursor) =>
    cursor === 150 && slow ? new Promise(() => {}) : undefined,
  );
  const id = await startProgram(world.client, dagOf([readNode(pokemon(url))]));
  await until('the fourth page is asked for', () => asked().length === 4);
  await world.stopWorker();
  slow = false;
  await world.startWorker();
  const { tasks } = await world.reaches(id, 'completed');
  expect(tasks[0]!.attempt).toBe(1);
  expect(await all(id)).toEqual(pokemons(300));
  expect(asked()).toEqual([null, '50', '100', '150', '150', '200', '250']);
});
