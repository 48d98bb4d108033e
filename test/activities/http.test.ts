import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { fileArtifactStore } from '../../src/activities/artifact-store.ts';
import { parseAddress, whyNotPublic } from '../../src/activities/http/addresses.ts';
import type { Resolve } from '../../src/activities/http/guarded-agent.ts';
import { systemResolve } from '../../src/activities/http/guarded-agent.ts';
import { http, requester } from '../../src/activities/http.ts';
import { TaskFailure } from '../../src/activities/kind.ts';
import { NO_SECRETS } from '../../src/activities/secrets.ts';
import { loadStored } from '../../src/activities/stored-values.ts';
import { loadConfig } from '../../src/config.ts';
import type { AttemptInput, StoredValue } from '../../src/contract/payloads.ts';
import type { Scope } from '../../src/plan/expression.ts';
import type { Json } from '../../src/plan/json.ts';
import { readPlanFile } from '../../src/service/plan-file.ts';
import { startWorld, tempDir } from '../support/world.ts';
import { type WebServer, webServer } from './http/web-server.ts';

const folder = tempDir('http');
const store = fileArtifactStore(join(folder, 'artifacts'));
const servers: WebServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.stop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A server for one test. */
async function serve(handle: RequestListener, host?: string): Promise<WebServer> {
  const server = await webServer(handle, host);
  servers.push(server);
  return server;
}

interface Options {
  allow?: string[];
  signal?: AbortSignal;
  resolve?: Resolve;
  tasks?: Scope['tasks'];
  inputs?: Scope['inputs'];
  input?: Partial<AttemptInput>;
}

/** One attempt, as the activity carries it out. */
async function attempt(words: unknown, options: Options = {}) {
  const { allow = ['127.0.0.1'], signal = new AbortController().signal, resolve = systemResolve } = options;
  const input: AttemptInput = {
    schema_version: 1,
    principal: { id: 'p', name: 'P', org_id: 'local' },
    plan_id: 'plan',
    run: 1,
    task: 'ask',
    kind: 'http',
    attempt: 1,
    dispatch: 1,
    with: http.plain(http.words.parse(words), {}),
    scope: { inputs: options.inputs ?? {}, tasks: options.tasks ?? {}, plan: { id: 'plan', name: 'n', run: 1 } },
    env: {},
    place: { env: {} },
    idempotency_key: 'plan/1/ask',
    inline_limit: 4_096,
    ...options.input,
  };
  const context = {
    signal,
    store,
    allowPrivateHosts: allow,
    secrets: NO_SECRETS,
    planFolder: folder,
    onProcessGroup() {},
    onOutput() {},
  };
  const { outputs } = await requester(resolve)(input, context);
  return outputs as { status: Json; headers: Record<string, string>; body: Json; url: Json };
}

/** How an attempt fails. */
async function failure(words: unknown, options?: Options): Promise<TaskFailure> {
  const error: unknown = await attempt(words, options).then(
    () => new Error('it did not fail'),
    (error: unknown) => error,
  );
  if (!(error instanceof TaskFailure)) throw error;
  return error;
}

const log = () => readFileSync(join(folder, 'logs', 'ask#1.1.log'), 'utf8');
const lookup =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('what is sent', () => {
  test('a URL alone is a GET; its answer is status, headers without cookies, body and the URL itself', async () => {
    const { url, seen } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'Set-Cookie': 'a=1', 'X-A': 'b' });
      response.end('{"items": [1, 2]}');
    });
    const outputs = await attempt(`${url}/items`);
    expect(outputs).toMatchObject({ status: 200, body: { items: [1, 2] }, url: `${url}/items` });
    expect(outputs.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'x-a': 'b' });
    expect(outputs.headers).not.toHaveProperty('set-cookie');
    expect(seen[0]).toMatchObject({ method: 'GET', url: '/items', headers: { 'user-agent': 'holdpoint' } });
    expect(seen[0]!.headers).not.toHaveProperty('idempotency-key');
  });

  test('query values are encoded and added to those of the URL; lists repeat, null leaves out', async () => {
    const { url, seen } = await serve((_, response) => response.end());
    await attempt({ url: `${url}/?a=1#part`, query: { b: 'x&y=é', n: 2, list: ['p', 'q'], none: null } });
    expect(seen[0]!.url).toBe('/?a=1&b=x%26y%3D%C3%A9&n=2&list=p&list=q');
  });

  const bodies: [string, Json, string, string][] = [
    ['JSON', { a: [1, null] }, '{"a":[1,null]}', 'application/json'],
    ['text', 'plain é', 'plain é', 'text/plain; charset=utf-8'],
    ['null', null, 'null', 'application/json'],
  ];
  test.each(bodies)('a body of %s', async (_, body, sent, type) => {
    const { url, seen } = await serve((_, response) => response.end());
    await attempt({ url, method: 'post', body });
    expect(seen[0]).toMatchObject({ method: 'POST', body: sent, headers: { 'content-type': type } });
  });

  test('headers of the author win over those sent by default, whatever their case', async () => {
    const { url, seen } = await serve((_, response) => response.end());
    const headers = {
      'Content-Type': 'text/csv',
      'Idempotency-Key': 'mine',
      'USER-AGENT': 'me',
      'x-n': 1,
      'x-no': null,
    };
    await attempt({ url, method: 'PUT', body: 'a,b', headers });
    expect(seen[0]!.headers).toMatchObject({
      'content-type': 'text/csv',
      'idempotency-key': 'mine',
      'user-agent': 'me',
      'x-n': '1',
    });
    expect(seen[0]!.headers).not.toHaveProperty('x-no');
  });

  test('a user and password in the URL are sent as basic authorization, and stand nowhere else', async () => {
    const { url, seen } = await serve((_, response) => response.end());
    const outputs = await attempt(url.replace('//', '//ann:s%40cret@'));
    expect(seen[0]!.headers.authorization).toBe(`Basic ${Buffer.from('ann:s@cret').toString('base64')}`);
    expect(outputs.url).toBe(`${url}/`);
  });

  test('expressions are filled in anywhere; text that is one whole expression keeps its type', async () => {
    const { url, seen } = await serve((_, response) => response.writeHead(404).end());
    await attempt(
      {
        url: '${{ inputs.base }}/x',
        method: '${{ inputs.method }}',
        headers: { 'x-total': 'n=${{ inputs.n + 1 }}' },
        body: { list: '${{ inputs.list }}', n: '${{ inputs.n }}' },
        expect: '${{ inputs.codes }}',
        max_bytes: '${{ inputs.n }}',
      },
      { inputs: { base: url, method: 'PATCH', n: 41, list: [1, { a: 2 }], codes: [404] } },
    );
    expect(seen[0]).toMatchObject({ method: 'PATCH', url: '/x', body: '{"list":[1,{"a":2}],"n":41}' });
    expect(seen[0]!.headers['x-total']).toBe('n=42');
  });

  const badWhenRun: [string, object, RegExp][] = [
    ['a URL', { url: '${{ inputs.v }}' }, /url is not a URL/],
    ['a scheme', { url: 'file://${{ inputs.v }}' }, /url is not a URL/],
    ['a method', { url: 'http://127.0.0.1/', method: '${{ inputs.v }}' }, /method has to be one of GET/],
    ['a header', { url: 'http://127.0.0.1/', headers: { a: '${{ inputs.v }}' } }, /headers.a has characters/],
    ['a number', { url: 'http://127.0.0.1/', max_bytes: '${{ inputs.v }}' }, /max_bytes has to be a whole number/],
    ['an expression', { url: 'http://127.0.0.1/', body: '${{ inputs.v.w }}' }, /inputs.v.w/],
  ];
  test.each(badWhenRun)(
    '%s that turns out bad when it runs fails for good, and is not repeated',
    async (_, words, rule) => {
      const error = await failure(words, { inputs: { v: 'hush\r\nx: y' } });
      expect(error.final).toBe(true);
      expect(error.message).toMatch(rule);
      expect(error.message).not.toContain('hush');
    },
  );

  test('an output that was cut is refused where it is used, and does no harm where it is not', async () => {
    const { url } = await serve((_, response) => response.end());
    const cut = { $stored: { sha256: 'x', bytes: 9, head: '', tail: '', dropped: 7 } };
    const tasks = { a: { status: 'succeeded', outputs: { stdout: cut, exit_code: 0 } } };
    const post = (body: string) => ({ url, method: 'POST', body });
    expect((await attempt(post('${{ tasks.a.outputs.exit_code }}'), { tasks })).status).toBe(200);
    const error = await failure(post('<${{ tasks.a.outputs.stdout }}>'), { tasks });
    expect(error).toMatchObject({ final: true, message: expect.stringContaining('7 bytes of it were dropped') });
  });
});

describe('what comes back', () => {
  const answer = (type: string | undefined, body: string | Buffer) =>
    serve((_, response) => {
      if (type !== undefined) response.setHeader('content-type', type);
      response.end(body);
    });

  const inline: [string, string | undefined, string | Buffer, Json][] = [
    ['JSON', 'application/json', '{"a": 1}\n', { a: 1 }],
    ['JSON of its own type', 'application/problem+json', '[true]', [true]],
    ['JSON with a byte order mark', 'application/json', '\uFEFFnull', null],
    ['what is called JSON and is not', 'application/json', 'OK', 'OK'],
    ['no JSON at all', 'application/json', '', null],
    ['text', 'text/html', '<p>é</p>\n', '<p>é</p>'],
    ['empty text', 'text/plain', '', ''],
    ['text without a type', undefined, 'hello', 'hello'],
    ['bytes that are no UTF-8', 'text/plain', Buffer.from([0x61, 0xff, 0x62]), 'a\uFFFDb'],
  ];
  test.each(inline)('%s', async (_, type, sent, body) => {
    const { url } = await answer(type, sent);
    expect((await attempt(url)).body).toEqual(body);
  });

  test.each(['image/png', 'application/octet-stream', 'application/pdf'])('%s is kept by reference', async (type) => {
    const bytes = Buffer.from([0, 1, 2, 0xff]);
    const { url } = await answer(type, bytes);
    const { $stored } = (await attempt(url)).body as unknown as StoredValue;
    expect($stored).toMatchObject({ bytes: 4, head: '', tail: '' });
    const { sha256 } = $stored;
    expect(readFileSync(join(folder, 'artifacts', sha256.slice(0, 2), sha256))).toEqual(bytes);
  });

  test('large JSON is kept by reference, and is JSON where an expression reads it', async () => {
    const items = Array.from({ length: 900 }, (_, i) => ({ id: i }));
    const { url } = await answer('application/json', `\uFEFF${JSON.stringify({ items })}\n`);
    const { body } = await attempt(url);
    expect(body).toMatchObject({ $stored: { json: true, head: expect.stringContaining('{"items"') } });
    expect(await loadStored({ body }, store)).toEqual({ body: { items } });
    const { url: next, seen } = await serve((_, response) => response.end());
    const tasks = { a: { status: 'succeeded', outputs: { body } } };
    await attempt({ url: next, method: 'POST', body: '${{ tasks.a.outputs.body.items[899] }}' }, { tasks });
    expect(seen[0]!.body).toBe('{"id":899}');
  });

  test('large text is kept by reference, and is text where an expression reads it', async () => {
    const { url } = await answer('text/plain', `[1]${' '.repeat(5_000)}`);
    const { body } = await attempt(url);
    expect(body).not.toHaveProperty('$stored.json');
    expect(await loadStored(body, store)).toMatch(/^\[1\] {5000}$/);
  });

  test('an answer cannot pass for a reference into the artifact store', async () => {
    const { $stored } = await store.putText('of another plan');
    const { url } = await answer('application/json', JSON.stringify({ a: { $stored } }));
    const { body } = await attempt(url);
    expect(await loadStored(body, store)).toEqual({ a: { $stored } });
  });

  test('nothing stays inline once a plan has used up what it may carry', async () => {
    const { url } = await answer('application/json', '[1]');
    const outputs = await attempt(url, { input: { inline_limit: 0 } });
    expect(outputs).toMatchObject({ body: { $stored: {} }, headers: { $stored: {} }, url: { $stored: {} } });
    expect(await loadStored(outputs, store)).toMatchObject({ status: 200, body: [1], url: `${url}/` });
  });

  test('past 16 KiB of headers the longest are left out', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'x-long': 'x'.repeat(15_000), 'x-longer': 'y'.repeat(15_001) }).end();
    });
    const { headers } = (await loadStored(await attempt(url), store)) as { headers: object };
    expect(Object.keys(headers)).toContain('x-long');
    expect(Object.keys(headers)).not.toContain('x-longer');
  });

  test('a HEAD has no body, whatever its headers promise', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip', 'content-length': 99 });
      response.end();
    });
    expect(await attempt({ url, method: 'HEAD' })).toMatchObject({ status: 200, body: null });
  });
});

describe('how much comes back', () => {
  test('an answer of exactly max_bytes is taken, one byte more fails for good and leaves no file', async () => {
    const { url } = await serve((_, response) => response.end('x'.repeat(100)));
    expect((await attempt({ url, max_bytes: 100 })).body).toHaveLength(100);
    const error = await failure({ url, max_bytes: 99 });
    expect(error).toMatchObject({ final: true, message: expect.stringContaining('larger than 99 bytes') });
    expect(readdirSync(join(folder, 'logs')).filter((name) => name.endsWith('.body'))).toEqual([]);
  });

  test('an answer without end is not read past max_bytes', async () => {
    let sent = 0;
    const { url } = await serve(async (_, response) => {
      for (; !response.destroyed; sent += 65_536)
        await new Promise((resolve) =>
          response.write(Buffer.alloc(65_536)) ? setImmediate(resolve) : setTimeout(resolve, 1),
        );
    });
    expect(await failure({ url, max_bytes: 1_000_000 })).toMatchObject({ final: true });
    expect(sent).toBeLessThan(60_000_000);
  });

  test('compressed answers are read as what they stand for, and counted so', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    expect(bomb.length).toBeLessThan(60_000);
    const { url, seen } = await serve((request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' });
      response.end(request.url === '/bomb' ? bomb : gzipSync('{"a":1}'));
    });
    expect((await attempt(url)).body).toEqual({ a: 1 });
    expect(seen[0]!.headers['accept-encoding']).toBe('gzip, br');
    expect(await failure({ url: `${url}/bomb`, max_bytes: 100_000 })).toMatchObject({ final: true });
    expect(gunzipSync(bomb)).toHaveLength(50_000_000);
  });

  test('an answer that breaks off is tried again', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half');
      setTimeout(() => response.destroy(), 50);
    });
    expect(await failure(url)).toMatchObject({ final: false, message: expect.stringContaining('broke off') });
  });

  test.each(['headers', 'body'])('the attempt ends at once when it is told to while waiting for %s', async (what) => {
    const abort = new AbortController();
    const { url } = await serve((_, response) => {
      if (what === 'body') response.write('begin');
      setTimeout(() => abort.abort(new Error('told to end')), 100);
    });
    const began = performance.now();
    await expect(attempt(url, { signal: abort.signal })).rejects.toThrow('told to end');
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  test('the attempt ends at once when it is told to while a name is looked up', async () => {
    const signal = AbortSignal.timeout(100);
    const resolve: Resolve = () => new Promise(() => {});
    await expect(attempt('http://slow.example/', { signal, resolve })).rejects.toThrow(/timeout/);
  }, 3_000);
});

describe('which answers fail', () => {
  const table: [number, boolean][] = [
    [400, true],
    [401, true],
    [404, true],
    [304, true],
    [408, false],
    [425, false],
    [429, false],
    [500, false],
    [503, false],
  ];
  test.each(table)('%d, for good: %s', async (status, final) => {
    const { url } = await serve((_, response) =>
      response.writeHead(status, { 'content-type': 'text/plain' }).end('why'),
    );
    const error = await failure(url);
    expect(error.final).toBe(final);
    expect(error.message).toContain(`GET ${url}/ → ${status} `);
    expect(error.details).toEqual({ status, ...(status !== 304 && { body: 'why' }) });
  });

  const expected: [Json, number, boolean][] = [
    [404, 404, true],
    ['404', 404, true],
    [['2xx', 404], 204, true],
    [['2xx', 404], 400, false],
    ['4XX', 418, true],
    [201, 200, false],
  ];
  test.each(expected)('with expect %j a %d is taken: %s', async (expect_, status, taken) => {
    const { url } = await serve((_, response) => response.writeHead(status).end());
    const outcome = await attempt({ url, expect: expect_ }).then(
      () => true,
      () => false,
    );
    expect(outcome).toBe(taken);
  });

  test('a server that is not there, or a name that is not known, is tried again', async () => {
    const { url, stop } = await webServer(() => {});
    stop();
    expect(await failure(url)).toMatchObject({ final: false, message: expect.stringContaining('ECONNREFUSED') });
    const resolve = () => Promise.reject(new Error('getaddrinfo ENOTFOUND nowhere.example'));
    expect(await failure('http://nowhere.example/', { resolve })).toMatchObject({
      final: false,
      message: 'GET http://nowhere.example/: getaddrinfo ENOTFOUND nowhere.example',
    });
  });

  test('an unexpected answer that does not end is told by its status all the same', async () => {
    const { url } = await serve((_, response) => void response.writeHead(500).write('so far'));
    expect(await failure(url)).toMatchObject({ final: false, details: { status: 500, body: 'so far' } });
  });

  const unread: [string, Record<string, string>][] = [
    ['is binary', { 'content-type': 'image/png' }],
    ['cannot be decoded', { 'content-encoding': 'zz' }],
    ['is not what it is called', { 'content-encoding': 'gzip' }],
  ];
  test.each(unread)('an unexpected answer whose body %s is told by its status alone', async (_, headers) => {
    const { url } = await serve((_, response) => void response.writeHead(500, headers).write('so far'));
    expect(await failure(url)).toMatchObject({ final: false, details: { status: 500 } });
  });

  test('an answer encoded in a way that is not known fails for good', async () => {
    const { url } = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'zz' }).end('x'));
    expect(await failure(url)).toMatchObject({ final: true, message: expect.stringContaining('is encoded in a way') });
  });

  test('neither messages nor the log hold a password, a value of the query, or a header', async () => {
    const { url } = await serve((_, response) => response.writeHead(403).end());
    const asked = `${url.replace('//', '//ann:hush1@')}/p?token=hush2`;
    const error = await failure({ url: asked, query: { key: 'hush3' }, headers: { 'x-key': 'hush4' } });
    expect(error.message).toBe(`GET ${url}/p?token=***&key=*** → 403 Forbidden`);
    expect(log()).toMatch(/^failed: GET http.* → 403 Forbidden, \d+ ms\n$/);
    expect(JSON.stringify([error.details, log()])).not.toMatch(/hush/);
  });

  test('the log tells each request, its status, size and time', async () => {
    const { url } = await serve((request, response) =>
      request.url === '/a' ? response.writeHead(302, { location: '/b?k=v' }).end() : response.end('12345'),
    );
    await attempt(`${url}/a`);
    expect(log()).toMatch(
      /^GET \S+\/a → 302 to \S+\/b\?k=\*\*\*, \d+ ms\nGET \S+\/b\?k=\*\*\* → 200, 5 bytes, \d+ ms\n$/,
    );
  });
});

describe('redirects', () => {
  const methods: [number, string, string, string][] = [
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [307, 'POST', 'POST', 'x'],
    [308, 'PUT', 'PUT', 'x'],
    [301, 'PUT', 'PUT', 'x'],
  ];
  test.each(methods)('%d of a %s becomes a %s with body %j', async (status, method, becomes, body) => {
    const { url, seen } = await serve((request, response) =>
      request.url === '/a' ? response.writeHead(status, { location: 'b#part' }).end() : response.end('there'),
    );
    const outputs = await attempt({ url: `${url}/a`, method, body: 'x' });
    expect(outputs).toMatchObject({ body: 'there', url: `${url}/b` });
    expect(seen[1]).toMatchObject({ method: becomes, body, url: '/b' });
    expect(seen[1]!.headers['content-type'] !== undefined).toBe(body !== '');
    expect(seen[1]!.headers['idempotency-key']).toBe(becomes === 'GET' ? undefined : 'plan/1/ask');
  });

  test('credentials stay with their origin: another port is another one, and coming back does not bring them back', async () => {
    const headers = { Authorization: 'a', cookie: 'c', 'Proxy-Authorization': 'p', 'x-other': 'o' };
    let home = '';
    const other = await serve((_, response) => response.writeHead(307, { location: `${home}/end` }).end());
    const first = await serve((request, response) => {
      const location = { '/a': '/b', '/b': other.url }[request.url!];
      return location ? response.writeHead(307, { location }).end() : response.end();
    });
    home = first.url;
    await attempt({ url: `${first.url}/a`, headers });
    const sent = [...first.seen.slice(0, 2), ...other.seen, first.seen[2]!].map(({ headers }) =>
      ['authorization', 'cookie', 'proxy-authorization', 'x-other'].filter((name) => headers[name] !== undefined),
    );
    const all = ['authorization', 'cookie', 'proxy-authorization', 'x-other'];
    expect(sent).toEqual([all, all, ['x-other'], ['x-other']]);
  });

  test('no more than asked for are followed; none at all makes a redirect an answer', async () => {
    const { url, seen } = await serve((_, response) => response.writeHead(302, { location: '/' }).end());
    expect(await failure({ url, redirects: 2 })).toMatchObject({ final: true, message: /more than 2 times/ });
    expect(seen).toHaveLength(3);
    expect(await failure({ url, redirects: 0 })).toMatchObject({ final: true, message: /302 Found/ });
    expect(await attempt({ url, redirects: 0, expect: 302 })).toMatchObject({
      status: 302,
      headers: { location: '/' },
    });
    expect(await attempt({ url, expect: [200, 302] })).toMatchObject({ status: 302 });
    expect(seen).toHaveLength(6);
  });

  test.each(['file:///etc/passwd', 'ftp://127.0.0.1/', 'javascript:1', 'http://'])(
    'to %s is refused',
    async (location) => {
      const { url } = await serve((_, response) => response.writeHead(302, { location }).end());
      expect(await failure(url)).toMatchObject({ final: true, message: /redirects to .* http and https only/ });
    },
  );
});

describe('addresses that are not public', () => {
  const literals = [
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '127.0.0.1.',
    '①②⑦.⓪.⓪.①',
    '0.0.0.0',
    '0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[::ffff:0:127.0.0.1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:1::1]',
    '[fd00:ec2::254]',
    '[fc00::1]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[4000::1]',
    '[2001:db8::1]',
  ];
  test.each(literals)('%s is refused for good, and nothing is sent', async (host) => {
    const { port, seen } = await serve((_, response) => response.end());
    const error = await failure(`http://${host}:${port}/`, { allow: [] });
    expect(error).toMatchObject({
      final: true,
      message: /which tasks may not reach; .*HOLDPOINT_ALLOW_PRIVATE_HOSTS=/,
    });
    expect(seen).toEqual([]);
  });

  test.each(['localhost', 'LOCALHOST', 'http.localhost.'])(
    'the name %s is refused by what it resolves to',
    async (host) => {
      const { port, seen } = await serve((_, response) => response.end());
      // What a final dot means to a resolver differs from machine to machine.
      const resolve = host.endsWith('.') ? lookup('::1') : systemResolve;
      const error = await failure(`http://${host}:${port}/`, { allow: [], resolve });
      expect(error).toMatchObject({ final: true, message: /has the address .*, a loopback address/ });
      expect(seen).toEqual([]);
    },
  );

  test('a name is refused when any of its addresses is', async () => {
    const { port, seen } = await serve((_, response) => response.end());
    for (const addresses of [
      ['8.8.8.8', '10.0.0.1'],
      ['2606:4700::1111', '::ffff:10.0.0.1'],
    ]) {
      const error = await failure(`http://name.example:${port}/`, { allow: [], resolve: lookup(...addresses) });
      expect(error).toMatchObject({
        final: true,
        message: /name\.example has the address .*10.0.0.1, a private address/,
      });
    }
    expect(seen).toEqual([]);
  });

  test('a name is resolved once, and the connection goes to the address that was checked', async () => {
    const server = await serve((_, response) => response.end());
    let asked = 0;
    // The second answer of a rebinding name would lead to the server here; nothing listens at the first.
    const resolve: Resolve = async () => [{ address: ++asked === 1 ? '127.0.0.9' : '127.0.0.1', family: 4 }];
    const rebinding = { allow: ['127.0.0.9'], resolve };
    const error = await failure(`http://rebind.example:${server.port}/`, rebinding);
    expect(error).toMatchObject({ final: false, message: expect.stringContaining('ECONNREFUSED 127.0.0.9') });
    expect(asked).toBe(1);
    expect(server.seen).toEqual([]);
    const allowed = { allow: ['127.0.0.1'], resolve: lookup('127.0.0.1') };
    expect(await attempt(`http://rebind.example:${server.port}/`, allowed)).toMatchObject({ status: 200 });
    expect(server.seen[0]!.headers.host).toBe(`rebind.example:${server.port}`);
  });

  const kinds: [string, string | undefined][] = [
    ['8.8.8.8', undefined],
    ['172.32.0.1', undefined],
    ['100.128.0.1', undefined],
    ['2606:4700::1111', undefined],
    ['::ffff:8.8.8.8', undefined],
    ['64:ff9b::808:808', undefined],
    ['2002:808:808::1', undefined],
    ['::ffff:10.0.0.1', 'private'],
    ['::ffff:0:10.0.0.1', 'private'],
    ['64:ff9b::a9fe:a9fe', 'link-local'],
    ['2002:7f00:1::1', 'loopback'],
    ['100.127.255.255', 'carrier-grade NAT'],
    ['fd00::1', 'private'],
    ['64:ff9b:1::808:808', 'reserved'],
    ['2001:0:808:808::1', 'reserved'],
  ];
  test.each(kinds)('%s is told as %s', (address, kind) => {
    expect(whyNotPublic(parseAddress(address)!)).toBe(kind);
  });

  const targets = [
    'http://127.0.0.2:PORT/',
    'http://169.254.169.254/',
    'http://[::1]:PORT/',
    'http://localhost:PORT/',
    '//0x7f.2:PORT/',
  ];
  test.each(targets)('a redirect to %s is refused like a request', async (target) => {
    const { url, port, seen } = await serve((_, response) =>
      response.writeHead(302, { location: target.replace('PORT', String(port)) }).end(),
    );
    const error = await failure(url, { allow: [`127.0.0.1:${port}`], resolve: lookup('127.0.0.3') });
    expect(error).toMatchObject({ final: true, message: /which tasks may not reach/ });
    expect(seen).toHaveLength(1);
  });

  const lists: [string[], string, boolean][] = [
    [['*'], 'http://127.0.0.1:PORT/', true],
    [['127.0.0.1'], 'http://127.0.0.1:PORT/', true],
    [['127.0.0.1:PORT'], 'http://127.0.0.1:PORT/', true],
    [['127.0.0.1:1'], 'http://127.0.0.1:PORT/', false],
    [['127.0.0.0/8'], 'http://127.0.0.1:PORT/', true],
    [['10.0.0.0/8', '::/0'], 'http://127.0.0.1:PORT/', false],
    [['127.0.0.1'], 'http://[::ffff:127.0.0.1]:PORT/', true],
    [['127.0.0.1'], 'http://0x7f.1:PORT/', true],
    [['127.0.0.0/8'], 'http://inner.example:PORT/', true],
    [['inner.example'], 'http://INNER.example.:PORT/', true],
    [['inner.example:PORT'], 'http://inner.example:PORT/', true],
    [['inner.example:1'], 'http://inner.example:PORT/', false],
    [['inner.example'], 'http://other.example:PORT/', false],
    [['example'], 'http://inner.example:PORT/', false],
  ];
  test.each(lists)('allowed %j, %s is reached: %s', async (allow, target, reached) => {
    const { port, seen } = await serve((_, response) => response.end());
    const withPort = (text: string) => text.replace('PORT', String(port));
    const options = { allow: allow.map(withPort), resolve: lookup('127.0.0.1') };
    if (reached) expect(await attempt(withPort(target), options)).toMatchObject({ status: 200 });
    else expect(await failure(withPort(target), options)).toMatchObject({ final: true });
    expect(seen).toHaveLength(reached ? 1 : 0);
  });

  test('no proxy of the environment is asked', async () => {
    const proxy = await serve((_, response) => response.end('by the proxy'));
    const { url } = await serve((_, response) => response.end('direct'));
    const before = { ...process.env };
    Object.assign(process.env, { HTTP_PROXY: proxy.url, http_proxy: proxy.url, ALL_PROXY: proxy.url, NO_PROXY: '' });
    const { body } = await attempt(url).finally(() => {
      process.env = before;
    });
    expect(body).toBe('direct');
    expect(proxy.seen).toEqual([]);
  });

  test('the list is read from the environment, and what is no host is named', () => {
    const read = (HOLDPOINT_ALLOW_PRIVATE_HOSTS: string) =>
      loadConfig({ HOLDPOINT_ALLOW_PRIVATE_HOSTS }).allowPrivateHosts;
    expect(loadConfig({}).allowPrivateHosts).toEqual([]);
    const good = ['db.internal', 'a:80', '10.0.0.5', '10.0.0.5:8080', '::1', '[::1]:80', '10.0.0.0/8', 'fd00::/8', '*'];
    expect(read(` ${good.join(', ').toUpperCase()},`)).toEqual(good);
    for (const bad of ['http://a', 'a/8', '10.0.0.0/33', '[a]:1', 'a:b', '*.internal'])
      expect(() => read(`ok,${bad}`), bad).toThrow(new RegExp(`names "${bad.replace(/[[\]*.]/g, '\\$&')}"`));
  });
});

describe('in a plan file', () => {
  const plan = (words: unknown) => JSON.stringify({ plan: 1, name: 'n', tasks: { ask: { http: words } } });

  test('a URL alone is enough; the rest has defaults, the task as well', () => {
    const [task] = readPlanFile(plan('https://example.org/')).definition.tasks;
    expect(task).toMatchObject({
      with: { url: 'https://example.org/', method: 'GET', expect: '2xx', max_bytes: 10_485_760, redirects: 10 },
      timeout_ms: 30_000,
      retry: { max_attempts: 3, delay_ms: 1_000 },
    });
  });

  test('expressions may stand wherever text or a number may', () => {
    const e = '${{ plan.run }}';
    const words = {
      url: e,
      method: e,
      headers: { a: e },
      query: { a: [e] },
      body: { a: e },
      expect: [e],
      max_bytes: e,
      redirects: e,
    };
    expect(readPlanFile(plan(words)).definition.tasks[0]!.with).toEqual(words);
  });

  const url = 'https://example.org/';
  const bad: [unknown, string, string][] = [
    ['example.org', 'http', 'is not a URL that can be asked; write one such as https://example.org/items'],
    [{ url: 'ftp://a/' }, 'http.url', 'is not a URL that can be asked; write one such as https://example.org/items'],
    [{}, 'http.url', '`url` is missing'],
    [{ url, method: 'FETCH' }, 'http.method', 'has to be one of GET, HEAD, POST, PUT, PATCH, DELETE'],
    [{ url, headers: { 'a b': 'c' } }, 'http.headers.a b', 'is not the name of a header'],
    [{ url, headers: { a: 'b\nc' } }, 'http.headers.a', 'has characters that a header cannot hold'],
    [{ url, headers: { Connection: 'x' } }, 'http.headers.Connection', 'is a header that Holdpoint sets itself'],
    [{ url, headers: { A: 'x', a: 'y' } }, 'http.headers', 'a header is given twice'],
    [{ url, expect: [99] }, 'http.expect.0', 'a status is a number such as 200, or a range such as "2xx"'],
    [{ url, expect: '6xx' }, 'http.expect', 'a status is a number such as 200, or a range such as "2xx"'],
    [{ url, max_bytes: 104_857_601 }, 'http.max_bytes', 'has to be a whole number from 1 to 104857600'],
    [{ url, max_bytes: '10 MiB' }, 'http.max_bytes', 'has to be a whole number from 1 to 104857600'],
    [{ url, redirects: 21 }, 'http.redirects', 'has to be a whole number from 0 to 20'],
    [{ url, retries: 3 }, 'http.retries', 'unknown word "retries"'],
  ];
  test.each(bad)('%j is refused at %s: %s', (words, path, message) => {
    let found: { path: unknown[]; message: string }[] = [];
    try {
      readPlanFile(plan(words));
    } catch (fault) {
      found = (fault as { errors: typeof found }).errors;
    }
    expect(found.map((problem) => problem.path.slice(2).join('.'))).toEqual([path]);
    expect(found[0]!.message).toContain(message);
  });
});

describe('in a plan', () => {
  let world: Awaited<ReturnType<typeof startWorld>>;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

  test('every attempt has the same idempotency key; what comes is read by the next task; a final failure is not repeated', async () => {
    const items = Array.from({ length: 900 }, (_, i) => ({ id: i }));
    const { url, seen } = await serve((request, response) => {
      if (request.url === '/no') return response.writeHead(404).end();
      if (seen.length < 3) return response.writeHead(503).end();
      return response.setHeader('content-type', 'application/json').end(JSON.stringify({ items }));
    });
    const id = await world.create(`
plan: 1
name: web
tasks:
  ask: { http: { url: "${url}/", method: POST }, retry: { max_attempts: 3, delay: 10ms } }
  say: { needs: [ask], run: "echo \${{ tasks.ask.outputs.body.items[7].id }} \${{ tasks.ask.outputs.status }}" }
  no: { needs: [say], http: "${url}/no", on_failure: continue }
`);
    await world.reaches(id, 'completed');
    const keys = seen.slice(0, 3).map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toBeTruthy();
    expect(keys).toEqual([keys[0], keys[0], keys[0]]);
    expect((await world.task(id, 'say')).outputs).toMatchObject({ stdout: '7 200' });
    expect(await world.task(id, 'no')).toMatchObject({
      attempt: 1,
      error: { code: 'TASK_FAILED', details: { status: 404 } },
    });
    expect(seen).toHaveLength(4);
    expect(existsSync(join(world.home, 'runs', id, 'logs', 'ask#3.1.log'))).toBe(true);
  });
});
