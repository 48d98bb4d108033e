import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { loadStored } from '../../src/activities/stored-values.ts';
import type { Json } from '../../src/plan/json.ts';
import type { ReadPosition } from '../../src/plan/read-position.ts';
import type { RowOp } from '../../src/program/dag.ts';
import { until } from '../support/world.ts';
import { webServer } from './http/web-server.ts';
import { failure, newPlan, pokemon, read, readNode, stores } from './program/attempt.ts';
import { pagedSource, pokemons } from './program/paged-source.ts';

const servers: { stop(): void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.stop();
});
const kept = <T extends { stop(): void }>(server: T): T => {
  servers.push(server);
  return server;
};
const source = async (...parameters: Parameters<typeof pagedSource>) => kept(await pagedSource(...parameters));
const serve = async (handle: RequestListener, host?: string) => kept(await webServer(handle, host));
const answers =
  (body: string, status = 200, type = 'application/json'): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': type }).end(body);

const BIG: RowOp = { filter: [{ field: 'base_experience', op: '>=', value: 300 }] };
const ids = (rows: { [key: string]: Json }[]) => rows.map(({ id }) => id!);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe('pages', () => {
  test('are read to the last, in order, and each row once', async () => {
    const { url, asked } = await source(pokemons(220), 50);
    const { count, rows, outputs } = await read(readNode(pokemon(url)));
    expect(count).toBe(220);
    expect(ids(rows)).toEqual(range(1, 220));
    expect(asked()).toEqual([null, '50', '100', '150', '200']);
    expect(((await loadStored(outputs.chunks!, stores.artifacts)) as Json[]).flat()).toEqual(rows);
  });

  test('are read no further than a limit says, and none of them for a limit of 0', async () => {
    const { url, asked } = await source(pokemons(900), 50);
    expect(ids((await read(readNode(pokemon(url), [BIG, { limit: 3 }, { project: ['id', 'nothing'] }]))).rows)).toEqual(
      [301, 302, 303],
    );
    expect(asked()).toHaveLength(7);
    expect((await read(readNode(pokemon(url), [BIG, { limit: 0 }]))).rows).toEqual([]);
    expect(asked()).toHaveLength(7);
    const { rows } = await read(readNode(pokemon(url), [{ limit: 50 }, { project: ['id', 'nothing'] }, { limit: 60 }]));
    expect(rows[0]).toEqual({ id: 1, nothing: null });
    expect(asked()).toHaveLength(8);
  });

  test('of a program are so many rows, whatever the source calls a page; where one ends the next goes on', async () => {
    const { url } = await source(pokemons(900), 50);
    const sizes: number[] = [];
    const all: Json[] = [];
    let from: ReadPosition | undefined;
    do {
      const { rows, next } = await read(readNode(pokemon(url), [BIG, { limit: 590 }], { page_size: 220 }), { from });
      sizes.push(rows.length);
      all.push(...ids(rows));
      from = next;
    } while (from);
    expect(sizes).toEqual([220, 220, 150]);
    expect(all).toEqual(range(301, 890));
  });

  const exact: [string, number, number, RowOp[]][] = [
    ['the last page of the source', 200, 100, []],
    [
      'all rows that are meant, though others follow on the page',
      120,
      20,
      [{ filter: [{ field: 'id', op: '<=', value: 20 }] }],
    ],
    ['the limit', 900, 60, [{ limit: 60 }]],
  ];
  test.each(exact)('there is no next one behind %s', async (_, rows, page_size, ops) => {
    const { url } = await source(pokemons(rows), 100);
    const first = await read(readNode(pokemon(url), ops, { page_size }));
    expect(first.rows).toHaveLength(page_size);
    const last = first.next ? await read(readNode(pokemon(url), ops, { page_size }), { from: first.next }) : first;
    expect(last.next).toBeUndefined();
  });

  test('without a name for the cursor are at the URL that the one before gives, at the same origin', async () => {
    const other = await source(pokemons(1), 1);
    const { url } = await serve((request, response) => {
      const next = { '/a': '/b?x=1', '/b?x=1': `${other.url}/c` }[request.url!];
      response.end(JSON.stringify({ data: { 'the-rows': [{ at: request.url }] }, next }));
    });
    const list = pokemon(`${url}/a`, { items: 'body.data["the-rows"]', cursor: undefined });
    expect((await read(readNode(list, [{ limit: 2 }]))).rows).toEqual([{ at: '/a' }, { at: '/b?x=1' }]);
    const { message, final } = await failure(read(readNode(list)));
    expect(message).toContain(`the next page is said to be at ${other.url}; pages stay at one origin`);
    expect(final).toBe(true);
    expect(other.seen).toEqual([]);
  });

  test('are found by expressions of any kind, and may be numbered', async () => {
    const { url, seen } = await serve((request, response) => {
      const n = Number(new URL(request.url!, 'http://x').searchParams.get('p') ?? 1);
      response.end(JSON.stringify({ n, of: 3, rows: [{ n, hidden: n === 2 }] }));
    });
    const list = pokemon(url, {
      items: 'body.rows.filter(r, !r.hidden)',
      next: 'body.n < body.of ? dyn(body.n + 1) : null',
      cursor: 'p',
    });
    expect((await read(readNode(list))).rows).toEqual([
      { n: 1, hidden: false },
      { n: 3, hidden: false },
    ]);
    expect(seen.map(({ url }) => url)).toEqual(['/', '/?p=2', '/?p=3']);
  });

  test.each([null, '', false, undefined])('end where the next one is %j', async (next) => {
    const { url, seen } = await serve((_, response) => response.end(JSON.stringify({ items: [{ id: 1 }], next })));
    expect((await read(readNode(pokemon(url)))).count).toBe(1);
    expect(seen).toHaveLength(1);
  });

  test('may be empty, as null, or where nothing is said at all', async () => {
    for (const body of ['{"items": []}', '{"items": null, "next": null}', '{}']) {
      const { url } = await serve(answers(body));
      expect((await read(readNode(pokemon(url)))).rows).toEqual([]);
    }
  });

  test('go on when a source stumbles; a limit of requests is one', async () => {
    const failed = new Set<number>();
    const { url, asked } = await source(pokemons(150), 50, (cursor, response) => {
      if (failed.has(cursor)) return;
      failed.add(cursor);
      response.writeHead(cursor === 50 ? 429 : 500).end('later');
    });
    expect((await read(readNode(pokemon(url)))).count).toBe(150);
    expect(asked()).toEqual([null, null, '50', '50', '100', '100']);
  });

  test('give of a row what the catalog declares, and no other word of the source', async () => {
    const { url } = await source([{ name: 'p', token: 'secret', id: 1 }, { id: 2 }], 50);
    const { rows } = await read(readNode(pokemon(url), [], { fields: ['id', 'name'] }));
    expect(rows).toEqual([{ name: 'p', id: 1 }, { id: 2 }]);
  });

  test('keep numbers that are none of JavaScript’s as their text', async () => {
    const { url } = await serve(
      answers('{"items":[{"id":9007199254740993,"n":1e400,"pi":3.14159265358979323846,"m":9007199254740991}]}'),
    );
    const { rows } = await read(readNode(pokemon(url)));
    expect(rows).toEqual([{ id: '9007199254740993', n: '1e400', pi: Math.PI, m: Number.MAX_SAFE_INTEGER }]);
  });

  test('with secrets: what a source writes of them is masked in rows and logs', async () => {
    const { secretSource, secretsOf } = await import('../../src/activities/secrets.ts');
    const secrets = secretsOf(
      { secrets: ['KEY'] },
      secretSource(['KEY'], () => 'sesame-open'),
    );
    const { url, seen } = await serve((request, response) =>
      response.end(JSON.stringify({ items: [{ said: request.headers.authorization }] })),
    );
    const http = { url, headers: { authorization: 'Bearer ${{ secrets.KEY }}' }, query: { q: '$${{ secrets.KEY }}' } };
    const { rows, plan } = await read(readNode(pokemon(url, { http, secrets: ['KEY'] })), { secrets });
    expect(rows).toEqual([{ said: 'Bearer ***' }]);
    expect(seen[0]!.headers.authorization).toBe('Bearer sesame-open');
    expect(seen[0]!.url).not.toContain('sesame');
    expect(await textIn(stores.planFolder(plan))).not.toContain('sesame');
  });
});

/** Everything that was written below a folder. */
async function textIn(folder: string): Promise<string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n');
}

describe('what a source must not answer fails the read for good, and says what it is', () => {
  const bad: [string, RequestListener, RegExp][] = [
    [
      'a web page',
      answers('<!doctype html><p>Hi', 200, 'text/html'),
      /^GET http.*: the answer is not JSON \(text\/html\); it begins with "<!doctype html><p>Hi"$/,
    ],
    ['nothing', answers('', 200), /the answer is not JSON \(application\/json\); it is empty$/],
    ['half of it', answers('{"items": [{"id": 1}'), /the answer is not JSON .*it begins with/],
    [
      'another shape',
      answers('{"error": "no", "code": 3}'),
      /^Pokemon: page 1 has no list at `body.items`; it has error, code$/,
    ],
    ['a list', answers('[1]'), /^Pokemon: page 1 has no list at `body.items`; it is a list itself, which is `body`$/],
    ['a text', answers('"hello"'), /has no list at `body.items`; it is "hello"$/],
    ['no list there', answers('{"items": {"a": 1}}'), /has no list at `body.items`; it has items$/],
    [
      'rows that are no objects',
      answers('{"items": [{"id": 1}, "two", 3]}'),
      /^Pokemon: page 1 has "two" for row 2, and rows have to be objects$/,
    ],
    [
      'a cursor that is none',
      answers('{"items": [], "next": {"a": 1}}'),
      /^Pokemon: page 1 has neither text nor a number at `body.next`$/,
    ],
    ['not found', answers('no such list', 404), /^GET http:\/\/127.0.0.1:\d+\/ → 404 Not Found$/],
  ];
  test.each(bad)('%s', async (_, handle, message) => {
    const { url, seen } = await serve(handle);
    const thrown = await failure(read(readNode(pokemon(url))));
    expect(thrown.message).toMatch(message);
    expect(thrown.final).toBe(true);
    expect(seen).toHaveLength(1);
  });

  test('empty pages without end', async () => {
    const { url, seen } = await serve((request, response) => {
      const at = Number(new URL(request.url!, 'http://x').searchParams.get('cursor') ?? 0);
      response.end(JSON.stringify({ items: [], next: at + 1 }));
    });
    const { message, final } = await failure(read(readNode(pokemon(url), [{ limit: 3 }])));
    expect(message).toBe('Pokemon: page 100 is number 100 in a row that has no rows and points to a next one');
    expect(final).toBe(true);
    expect(seen).toHaveLength(100);
  });

  test('a cursor that repeats, at once or in a circle', async () => {
    const { url, seen } = await serve((request, response) => {
      const at = new URL(request.url!, 'http://x').searchParams.get('cursor') ?? '';
      response.end(JSON.stringify({ items: [{ id: at }], next: { '': 'a', a: 'b', b: 'c', c: 'a' }[at] }));
    });
    const { message, final } = await failure(read(readNode(pokemon(url))));
    expect(message).toBe('Pokemon: page 4 points to a page that was read already; `body.next` never ends');
    expect(final).toBe(true);
    expect(seen).toHaveLength(4);
    // Whoever has enough does not mind.
    expect((await read(readNode(pokemon(url), [{ limit: 4 }]))).count).toBe(4);
  });

  test('a page that is too large', async () => {
    const { url } = await serve(answers(JSON.stringify({ items: [{ text: 'x'.repeat(11 * 1_024 * 1_024) }] })));
    const { message, final } = await failure(read(readNode(pokemon(url))));
    expect(message).toMatch(/: the answer is larger than 10485760 bytes; max_bytes says how much is taken$/);
    expect(final).toBe(true);
    expect((await read(readNode(pokemon(url, { http: { url, max_bytes: 20_000_000 } })))).count).toBe(1);
  });

  test('a way to a host that may not be reached', async () => {
    const inner = await serve(answers('{"items": []}'), '127.0.0.2');
    const { url } = await serve((_, response) => void response.writeHead(302, { location: inner.url }).end());
    const { message, final } = await failure(read(readNode(pokemon(url))));
    expect(message).toMatch(/127\.0\.0\.2 is a loopback address, which tasks may not reach/);
    expect(final).toBe(true);
    expect(inner.seen).toEqual([]);
    expect((await failure(read(readNode(pokemon(url)), { allow: [] }))).message).toMatch(/may not reach/);
  });

  test('an expression that fails', async () => {
    const { url } = await serve(answers('{"items": []}'));
    const { message, final } = await failure(read(readNode(pokemon(url, { items: 'body.rows + 1' }))));
    expect(message).toMatch(/^items of Pokemon: .*in the expression `body.rows \+ 1`$/);
    expect(final).toBe(true);
  });
});

describe('what may pass is left to the next attempt', () => {
  test('a source that goes on failing, with its answer', async () => {
    const { url, asked } = await source(
      pokemons(100),
      50,
      (cursor, response) => cursor === 50 && response.writeHead(503).end('busy'),
    );
    const { message, final, details } = await failure(read(readNode(pokemon(url))));
    expect(message).toMatch(/^page 2: GET http.*cursor=\*\*\* → 503 Service Unavailable$/);
    expect({ final, details }).toEqual({ final: false, details: { status: 503, body: 'busy' } });
    expect(asked()).toEqual([null, '50', '50', '50']);
  });

  test('a page that does not come in time, or not to its end', async () => {
    const { url, seen } = await serve((_, response) => void response.write('{"items": ['));
    const { message, final } = await failure(read(readNode(pokemon(url)), { times: { page_ms: 300, again_ms: [1] } }));
    expect(message).toMatch(/: there was no whole answer within 300ms$/);
    expect(final).toBe(false);
    expect(seen).toHaveLength(1);
  });

  test('a server that is not there', async () => {
    const { url, stop } = await serve(answers('{}'));
    stop();
    const { message, final } = await failure(read(readNode(pokemon(url))));
    expect(message).toMatch(/ECONNREFUSED/);
    expect(final).toBe(false);
  });
});

describe('one row', () => {
  const get = (url: string, item?: string) => readNode({ http: { url }, ...(item && { item }) }, [{ project: ['id'] }]);
  test('is the body, or what stands in it; null is none', async () => {
    const { url } = await serve(answers('{"id": 7, "data": {"id": 8}, "no": null}'));
    expect((await read(get(url))).rows).toEqual([{ id: 7 }]);
    expect((await read(get(url, 'body.data'))).rows).toEqual([{ id: 8 }]);
    expect((await read(get(url, 'body.no'))).rows).toEqual([]);
  });

  test('that is not there is told', async () => {
    const { url } = await serve(answers('{"error": 1}'));
    expect((await failure(read(get(url, 'body.data')))).message).toBe(
      'Pokemon: page 1 has no row at `body.data`; it has error',
    );
    const missing = await serve(answers('{}', 404));
    expect((await failure(read(get(`${missing.url}/pokemon/9`)))).message).toMatch(/\/pokemon\/9 → 404 Not Found$/);
  });
});

describe('what was read is not read again', () => {
  const tail = (plan: string) => join(stores.planFolder(plan), 'rows', 'n1.tail.jsonl');
  const noted = (plan: string) => join(stores.planFolder(plan), 'rows', 'n1.jsonl');

  test('by the next dispatch, wherever the one before ended; a torn line counts for nothing', async () => {
    const plan = newPlan();
    let down = true;
    const { url, asked } = await source(
      pokemons(300),
      50,
      (cursor, response) => down && cursor === 150 && response.destroy(),
    );
    const node = readNode(pokemon(url));
    await failure(read(node, { plan }));
    expect(await stores.rows.standing(plan, 'n1')).toMatchObject({ count: 150, ended: false });
    down = false;
    const before = asked().length;
    writeFileSync(tail(plan), '{"page":4,"at":{"cursor":"200","skip":0,"taken":[]},"rows":[{"id":', { flag: 'a' });
    writeFileSync(noted(plan), '{"page":4,"chu', { flag: 'a' });
    expect(ids((await read(node, { plan })).rows)).toEqual(range(1, 300));
    expect(asked().slice(before)).toEqual(['150', '200', '250']);
  });

  test('when its rows had only reached the plan’s folder', async () => {
    const plan = newPlan();
    const { url, asked } = await source(pokemons(300), 50);
    const node = readNode(pokemon(url), [{ limit: 220 }]);
    await read(node, { plan });
    // As a worker leaves it that is killed before it makes a chunk: what is noted is the first line alone.
    const [head] = readFileSync(noted(plan), 'utf8').split('\n');
    writeFileSync(noted(plan), `${head}\n`);
    const page = (n: number) =>
      JSON.stringify({
        page: n,
        at: { cursor: String(n * 50), skip: 0, taken: [n * 50] },
        rows: pokemons(n * 50).slice(-50),
      });
    writeFileSync(tail(plan), `${[1, 2, 3].map(page).join('\n')}\n`);
    expect(await stores.rows.standing(plan, 'n1')).toEqual({ count: 150, calls: 3, chunks: [], ended: false });
    const before = asked().length;
    expect(ids((await read(node, { plan })).rows)).toEqual(range(1, 220));
    expect(asked().slice(before)).toEqual(['150', '200']);
  });

  test('when all had been read, and its plan had not learned of it', async () => {
    const plan = newPlan();
    const { url, asked } = await source(pokemons(100), 50);
    const node = readNode(pokemon(url), [], { page_size: 70 });
    const first = await read(node, { plan });
    expect(await read(node, { plan })).toEqual(first);
    // Its last page is in the plan's folder, and in no chunk.
    const [head] = readFileSync(noted(plan), 'utf8').split('\n');
    writeFileSync(noted(plan), `${head}\n`);
    const rows = pokemons(70);
    const next = first.next!;
    writeFileSync(
      tail(plan),
      `${JSON.stringify({ page: 1, at: { cursor: '50', skip: 0, taken: [] }, ended: true, next, rows })}\n`,
    );
    expect(await stores.rows.standing(plan, 'n1')).toEqual({ count: 70, calls: 1, chunks: [], ended: false });
    expect(await read(node, { plan })).toMatchObject({ count: 70, next, rows });
    expect(await stores.rows.standing(plan, 'n1')).toMatchObject({ count: 70, ended: true, next });
    expect(asked()).toHaveLength(2);
  });

  test('but when it is another request, or a chunk is gone, it is', async () => {
    const plan = newPlan();
    const { url, asked } = await source(pokemons(100), 50);
    const node = readNode(pokemon(url));
    const { chunks } = await read(node, { plan });
    await read(node, { plan, input: { idempotency_key: `${plan}/2/n1` } });
    expect(asked()).toHaveLength(4);
    await stores.artifacts.clear(plan, 'mark');
    expect((await read(node, { plan, input: { idempotency_key: `${plan}/2/n1` } })).rows).toHaveLength(100);
    expect(asked()).toHaveLength(6);
    await expect(stores.rows.read('other', chunks, 0, 1)).rejects.toThrow('this plan did not store it');
  });
});

describe('ended in the middle', () => {
  test('what was read is there, and nothing more is asked for', async () => {
    const controller = new AbortController();
    const { url, asked } = await source(pokemons(900), 50, async (cursor) => {
      if (cursor === 200) controller.abort(new Error('stopped'));
      await delay(5);
    });
    const plan = newPlan();
    await expect(read(readNode(pokemon(url)), { plan, signal: controller.signal })).rejects.toThrow('stopped');
    const { count, chunks, ended } = await stores.rows.standing(plan, 'n1');
    expect({ count, ended }).toEqual({ count: 200, ended: false });
    expect(ids(await stores.rows.read(plan, chunks, 190, 100))).toEqual(range(191, 200));
    expect(asked()).toHaveLength(5);
  });

  test('a plan that is halted asks for no more pages, and does not wait for the one it asked for', async () => {
    const plan = newPlan();
    const { url, seen } = await source(pokemons(900), 50, (cursor) =>
      cursor === 100 ? new Promise(() => {}) : undefined,
    );
    const failed = failure(read(readNode(pokemon(url)), { plan }));
    await until('the third page is asked for', () => seen.length === 3);
    // Also without an orderly end: the pages before are in files already.
    expect(await stores.rows.standing(plan, 'n1')).toMatchObject({ count: 100, ended: false });
    await stores.rows.halt(plan);
    expect(await failed).toMatchObject({ message: 'reading was halted', final: false });
    const { chunks } = await stores.rows.standing(plan, 'n1');
    expect(await stores.rows.read(plan, chunks, 0, 900)).toEqual(pokemons(100));
    expect((await failure(read(readNode(pokemon(url)), { plan }))).message).toBe('reading was halted');
    expect(seen).toHaveLength(3);
  });
});

describe('lines', () => {
  test('a step tells that it begins, once over all its attempts, and its rows when two seconds have passed', async () => {
    const plan = newPlan();
    let slow = true;
    const { url } = await source(pokemons(150), 50, async (cursor, response) => {
      if (cursor === 100 && slow) {
        await delay(2_300);
        response.destroy();
      }
    });
    await failure(read(readNode(pokemon(url)), { plan, times: { page_ms: 5_000, again_ms: [] } }));
    const lines = await stores.rows.lines(plan);
    expect(lines).toMatchObject([
      { n: 2, step: 1, total: 1, label: 'Pokemon', rows: 0 },
      { n: 3, step: 1, total: 1, label: 'Pokemon', rows: 100 },
    ]);
    expect(lines[1]!.at - lines[0]!.at).toBeGreaterThanOrEqual(2_000);
    slow = false;
    const file = join(stores.planFolder(plan), 'lines.jsonl');
    writeFileSync(file, '{"at":1,"st', { flag: 'a' });
    await read(readNode(pokemon(url)), { plan });
    expect(await stores.rows.lines(plan)).toEqual(lines);
    expect(existsSync(file)).toBe(true);
  });

  test('of a plan that is not there are none, and nothing was kept', async () => {
    expect(await stores.rows.lines('nobody')).toEqual([]);
    expect(await stores.rows.standing('nobody', 'n1')).toEqual({ count: 0, chunks: [], ended: false });
  });
});
