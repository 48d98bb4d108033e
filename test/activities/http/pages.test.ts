import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { loadStored } from '../../../src/activities/stored-values.ts';
import type { StoredValue } from '../../../src/contract/payloads.ts';
import { readPlanFile } from '../../../src/service/plan-file.ts';
import { attempt, failure, folder, store } from './attempt.ts';
import { type WebServer, webServer } from './web-server.ts';

const servers: WebServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.stop();
});

type Answer = { json: unknown; headers?: Record<string, string>; status?: number };

/** A server that answers each query by what `page` makes of it. */
async function serve(page: (query: URLSearchParams, request: IncomingMessage) => Answer): Promise<WebServer> {
  const server = await webServer((request: IncomingMessage, response: ServerResponse) => {
    const { json, headers = {}, status = 200 } = page(new URL(request.url!, 'http://x').searchParams, request);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json));
  });
  servers.push(server);
  return server;
}

/** Three pages whose tokens have all that a query must encode. */
const TOKENS = ['', 'a+/b==', 'é &#?%20'];
const threePages = () =>
  serve((query) => {
    const at = TOKENS.indexOf(query.get('token') ?? '');
    return { json: { items: [{ n: at * 2 }, { n: at * 2 + 1 }], next: TOKENS[at + 1] ?? '' } };
  });
const words = (url: string, more: object = {}) => ({
  url: `${url}/list?size=2`,
  pages: { items: 'body.items', next: 'body.next', as: 'token', ...more },
});

describe('pages', () => {
  test('are asked for until none follows; their items are one list, and outputs tell how many pages there were', async () => {
    const { url, seen } = await threePages();
    const outputs = await attempt(words(url));
    expect(outputs).toMatchObject({ status: 200, pages: 3, body: [0, 1, 2, 3, 4, 5].map((n) => ({ n })) });
    expect(seen.map((request) => request.url)).toEqual([
      '/list?size=2',
      '/list?size=2&token=a%2B%2Fb%3D%3D',
      '/list?size=2&token=%C3%A9+%26%23%3F%2520',
    ]);
    const log = readFileSync(join(folder, 'logs', 'run-1', 'ask#1.1.log'), 'utf8');
    expect(log.match(/GET .*\/list\?size=\*\*\*.* → 200/g)).toHaveLength(3);
    expect(log).not.toContain('a%2B');
  });

  test('of one page that names no other are one request', async () => {
    const { url, seen } = await serve(() => ({ json: { items: [1] } }));
    expect(await attempt(words(url))).toMatchObject({ pages: 1, body: [1] });
    expect(seen).toHaveLength(1);
  });

  test('without items give an empty list, as services that leave empty lists out mean it', async () => {
    const { url } = await serve(() => ({ json: {} }));
    expect(await attempt(words(url))).toMatchObject({ pages: 1, body: [] });
  });

  test('too large to travel are kept by reference, and read as the list they are', async () => {
    const text = 'x'.repeat(3_000);
    const { url } = await serve((query) => ({ json: { items: [text], next: query.has('token') ? '' : 't' } }));
    const { body } = await attempt(words(url));
    expect(body).toMatchObject({ $stored: { json: true } });
    expect(await loadStored(body as unknown as StoredValue, store)).toEqual([text, text]);
  });

  test('may be named by a URL, whole or relative, and by names that have dots', async () => {
    const { url, seen } = await serve((query) => {
      const at = Number(query.get('p') ?? 0);
      const next = ['/b?p=1', `${url}/c?p=2#end`][at];
      return { json: { value: [at], ...(next && { '@odata.nextLink': next }) } };
    });
    const pages = { items: 'body.value', next: 'body.@odata.nextLink' };
    expect(await attempt({ url: `${url}/a`, pages })).toMatchObject({ body: [0, 1, 2], pages: 3 });
    expect(seen.map((request) => request.url)).toEqual(['/a', '/b?p=1', '/c?p=2']);
  });

  test('may be named by a Link header, and be lists themselves', async () => {
    const links: Record<string, string> = {
      1: '</?page=2>; title="a, b"; rel="next", </?page=3>; rel="last"',
      2: '</?page=1>; rel=prev, </?page=3>; rel="alternate NEXT"',
      3: '</?page=2>; rel="prev"; title="next"',
    };
    const { url } = await serve((query) => {
      const page = query.get('page') ?? '1';
      return { json: [page], headers: { Link: links[page]! } };
    });
    const pages = { items: 'body', next: 'headers.Link' };
    expect(await attempt({ url, pages })).toMatchObject({ body: ['1', '2', '3'], pages: 3 });
  });

  test('may be named by a number in a header', async () => {
    const { url } = await serve((query) => ({
      json: [query.get('page')],
      headers: { 'x-next-page': query.get('page') === '2' ? '' : '2' },
    }));
    const outputs = await attempt({ url, pages: { items: 'body', next: 'headers.X-Next-Page', as: 'page' } });
    expect(outputs).toMatchObject({ body: [null, '2'], pages: 2 });
  });

  test('all carry the headers of the task', async () => {
    const { url, seen } = await threePages();
    await attempt({ ...words(url), headers: { authorization: 'Bearer s' } });
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill('Bearer s'));
  });
});

describe('pages fail the task', () => {
  test('for good when one points to a page that was read already', async () => {
    const { url, seen } = await serve((query) => ({
      json: { items: [1], next: query.get('token') === 'a' ? 'b' : 'a' },
    }));
    const error = await failure(words(url));
    expect(error).toMatchObject({
      final: true,
      message: expect.stringMatching(/: page 3 points to a page that was read already; `body\.next` never ends$/),
    });
    expect(seen).toHaveLength(3);
  });

  test('for good when there are more than pages.max, rather than leave some out', async () => {
    let n = 0;
    const { url, seen } = await serve(() => ({ json: { items: [1], next: ++n } }));
    const error = await failure(words(url, { max: 4 }));
    expect(error).toMatchObject({ final: true, message: expect.stringContaining('page 4 is not the last') });
    expect(seen).toHaveLength(4);
    n = 0;
    expect(await failure(words(url))).toMatchObject({ message: expect.stringContaining('pages.max allows 100') });
  });

  test('for good when all together are larger than max_bytes', async () => {
    let n = 0;
    const { url, seen } = await serve(() => ({ json: { items: ['x'.repeat(400)], next: ++n } }));
    const error = await failure({ ...words(url), max_bytes: 1_000 });
    expect(error).toMatchObject({ final: true, message: expect.stringContaining('larger than 1000 bytes') });
    expect(seen).toHaveLength(3);
  });

  test('for good when one points to another origin, and nothing is sent there', async () => {
    const other = await threePages();
    const { url } = await serve(() => ({ json: { items: [], next: `${other.url}/` } }));
    const error = await failure({ url, pages: { items: 'body.items', next: 'body.next' } });
    expect(error).toMatchObject({ final: true, message: expect.stringContaining('pages stay at one origin') });
    expect(other.seen).toEqual([]);
  });

  test('so that another attempt may begin anew when a page does not come', async () => {
    const { url } = await serve((query) =>
      query.has('token') ? { json: {}, status: 503 } : { json: { items: [1], next: 'a' } },
    );
    expect(await failure(words(url))).toMatchObject({ final: false, message: expect.stringContaining('→ 503') });
  });

  const wrong: [string, Answer, string][] = [
    ['items are no list', { json: { items: {} } }, 'page 1 has no list at `body.items`'],
    ['next is an object', { json: { next: {} } }, 'page 1 has neither text nor a number at `body.next`'],
    ['a page is no JSON', { json: 1, headers: { 'content-type': 'text/html' } }, 'pages have to be JSON'],
  ];
  test.each(wrong)('for good when %s', async (_, page, message) => {
    const { url } = await serve(() => page);
    expect(await failure(words(url))).toMatchObject({ final: true, message: expect.stringContaining(message) });
  });

  test('for good when next is no URL and no query is named for it', async () => {
    const { url } = await serve(() => ({ json: { items: [], next: 'http://' } }));
    const error = await failure({ url, pages: { items: 'body.items', next: 'body.next' } });
    expect(error).toMatchObject({ final: true, message: expect.stringContaining('name that with pages.as') });
  });
});

describe('in a plan file', () => {
  const url = 'https://example.org/';
  const pages = { items: 'body.items', next: 'body.next' };
  const bad: [object, string, string][] = [
    [{ url, pages: { next: 'body.next' } }, 'http.pages.items', '`items` is missing'],
    [{ url, pages: { ...pages, items: 'items' } }, 'http.pages.items', 'such as body.items'],
    [{ url, pages: { ...pages, next: 'next' } }, 'http.pages.next', 'such as body.items or headers.x-next'],
    [{ url, pages: { ...pages, max: 0 } }, 'http.pages.max', 'has to be a whole number from 1 to 10000'],
    [{ url, pages: { ...pages, page: 1 } }, 'http.pages.page', 'unknown word "page"'],
    [{ url, method: 'post', pages }, 'http.pages', 'can be read with the method GET only'],
  ];
  test.each(bad)('%j is refused at %s: %s', (http, path, message) => {
    let found: { path: unknown[]; message: string }[] = [];
    try {
      readPlanFile(JSON.stringify({ plan: 1, name: 'n', tasks: { ask: { http } } }));
    } catch (fault) {
      found = (fault as { errors: typeof found }).errors;
    }
    expect(found.map((problem) => problem.path.slice(2).join('.'))).toEqual([path]);
    expect(found[0]!.message).toContain(message);
  });

  test('a method that is filled in later is checked then', async () => {
    const error = await failure({ url, method: '${{ inputs.method }}', pages }, { inputs: { method: 'POST' } });
    expect(error).toMatchObject({ why: 'invalid', message: 'http: pages can be read with the method GET only' });
  });
});
