import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAuthentication } from '../../src/identity/authentication.ts';
import type { PlanService } from '../../src/service/service.ts';
import { issuer } from '../identity/issuer.ts';
import { tempDir } from '../support/world.ts';
import { fakeService, ID, PLAN, serve } from './serve.ts';
import { serveAll } from './streams.ts';

/** Every sign that a key may have, and that a cookie would end at or read otherwise. */
const SIGNS = Array.from({ length: 0x7e - 0x20 }, (_, i) => String.fromCharCode(0x21 + i)).join('');
const ADA = {
  key: `secret${SIGNS}%2C%`,
  id: 'ada',
  name: 'Ada L.',
  org_id: 'acme',
  permissions: ['plan:read', 'plan:create', 'admin'],
};
const OWN = { 'sec-fetch-site': 'same-origin' };

/** A stream that tells nothing until it is ended. */
async function* silence(signal: AbortSignal): AsyncGenerator<never, void> {
  if (!signal.aborted) await once(signal, 'abort');
  yield* [];
}
const follow: PlanService['follow'] = async () => ({ over: false, pushed: silence });

/** All of the API with these keys, and a browser with one cookie. */
async function signingIn({
  entries = [ADA] as object[],
  trustedProxies = [] as string[],
  mostWrong = 3,
  jwt = {},
} = {}) {
  const apiKeys = join(tempDir('keys'), 'keys.json');
  const write = (keys: object[]) => writeFileSync(apiKeys, JSON.stringify(keys), { mode: 0o600 });
  write(entries);
  const config = { apiKeys, jwt: undefined, rateLimit: undefined, trustedProxies, ...jwt };
  const authentication = createAuthentication(config, pino({ level: 'silent' }), { mostWrong })!;
  onTestFinished(() => authentication.stop());
  const { service, calls } = fakeService({ follow });
  const all = await serveAll(service, { authentication });

  const ask = async (target: string, headers: Record<string, string> = {}, body?: object | string) => {
    const [method, path] = target.split(' ') as [string, string];
    const type = { 'content-type': typeof body === 'string' ? 'application/yaml' : 'application/json' };
    const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
    const answer = await fetch(all.url + path, { method, headers: { ...(body && type), ...headers }, ...sent });
    const set = answer.headers.getSetCookie();
    return { answer, status: answer.status, set, cookie: set[0]?.split(';')[0] };
  };
  /** As a browser gives it back. */
  const signIn = async (token = ADA.key, headers: Record<string, string> = OWN) =>
    await ask('POST /api/session', headers, { token });
  const cookie = async () => ({ cookie: (await signIn()).cookie! });
  return { ...all, ask, signIn, cookie, write, calls };
}

const told = async ({ answer }: { answer: Response }) => (await answer.json()) as { code: string; detail: string };

describe('signing in', () => {
  test('with a key sets a cookie that no script sees and no other site sends, and that is signed in by', async () => {
    const { signIn, ask } = await signingIn();
    const { status, set, cookie, answer } = await signIn();
    expect([status, await answer.text(), answer.headers.get('cache-control')]).toEqual([204, '', 'no-store']);
    expect(set).toEqual([expect.stringMatching(/^holdpoint_session=[^;,\s]+; Path=\/; HttpOnly; SameSite=Strict$/)]);
    const me = await ask('GET /api/me', { cookie: `theme=dark; ${cookie}; other=1` });
    expect([me.status, ((await me.answer.json()) as { id: string }).id]).toEqual([200, 'ada']);
  });

  test.each([
    ['over plain http', {}, false],
    ['over https, as a trusted proxy says', { 'x-forwarded-proto': 'https' }, true],
    ['over https to the first of several', { 'x-forwarded-proto': 'https, http' }, true],
    ['over http to a trusted proxy', { 'x-forwarded-proto': 'http' }, false],
    ['from a page of https', { origin: 'https://plans.example' }, true],
  ])('%s', async (_, headers, secure) => {
    const { signIn } = await signingIn({ trustedProxies: ['loopback'] });
    const { set } = await signIn(ADA.key, { ...OWN, ...headers });
    expect(set[0]!.includes('; Secure')).toBe(secure);
  });

  test('who is no trusted proxy says nothing about https', async () => {
    const { signIn } = await signingIn();
    const { set } = await signIn(ADA.key, { ...OWN, 'x-forwarded-proto': 'https' });
    expect(set[0]).not.toContain('Secure');
  });

  test('with a key that expires holds as long as that', async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const { signIn } = await signingIn({ entries: [{ ...ADA, expires_at }] });
    const { set } = await signIn();
    const seconds = Number(/; Max-Age=(\d+);/.exec(set[0]!)![1]);
    expect(seconds).toBeGreaterThan(3_500);
    expect(seconds).toBeLessThanOrEqual(3_600);
  });

  test('with a token holds until it expires, and no longer', async () => {
    const { jwt, sign } = await issuer();
    const { signIn, ask } = await signingIn({ jwt: { jwt } });
    const { status, set, cookie } = await signIn(await sign());
    expect(status).toBe(204);
    const seconds = Number(/; Max-Age=(\d+);/.exec(set[0]!)![1]);
    expect(seconds).toBeGreaterThan(290);
    expect(seconds).toBeLessThanOrEqual(300);
    expect((await ask('GET /api/me', { cookie: cookie! })).status).toBe(200);
    const old = await sign({}, { exp: Math.floor(Date.now() / 1_000) - 60 });
    expect((await ask('GET /api/me', { cookie: `holdpoint_session=${old}` })).status).toBe(401);
  });

  test.each([
    ['a wrong key', { token: 'secret-ad' }, 401, 'UNAUTHENTICATED', /not known/],
    ['a key of two words', { token: 'secret ada' }, 422, 'REQUEST_INVALID', /token: has to be printable ASCII/],
    ['no key', {}, 422, 'REQUEST_INVALID', /`token` is missing/],
    ['another word besides', { token: 'x', name: 'y' }, 422, 'REQUEST_INVALID', /name/],
    ['too much', { token: 'x'.repeat(17_000) }, 413, 'BODY_TOO_LARGE', /larger than 16kb/],
    ['YAML', 'token: x', 415, 'MEDIA_TYPE_UNSUPPORTED', /application\/json/],
  ])('with %s is refused, and sets nothing', async (_, body, status, code, detail) => {
    const { ask } = await signingIn();
    const answer = await ask('POST /api/session', OWN, body);
    expect([answer.status, answer.set]).toEqual([status, []]);
    const problem = await told(answer);
    expect(problem.code).toBe(code);
    expect(problem.detail).toMatch(detail);
  });

  test('with what no browser would keep is refused in time', async () => {
    const { jwt, sign } = await issuer();
    const { signIn } = await signingIn({ jwt: { jwt } });
    const answer = await signIn(await sign({ groups: 'x'.repeat(4_000) }));
    expect([answer.status, answer.set]).toEqual([422, []]);
    expect((await told(answer)).detail).toMatch(/too long for a session/);
  });

  test('where nobody has to, is done at once and sets nothing', async () => {
    const { ask } = await serve();
    const made = await ask('POST /api/session', { body: { token: 'any' } });
    expect([made.status, made.headers['set-cookie']]).toEqual([204, undefined]);
    const ended = await ask('DELETE /api/session');
    expect([ended.status, ended.headers['set-cookie']]).toEqual([204, undefined]);
    const foreign = { origin: 'https://evil.example' };
    expect((await ask('POST /api/session', { headers: foreign, body: { token: 'any' } })).status).toBe(403);
  });
});

describe('signing out', () => {
  test.each([
    ['with a session', true],
    ['without one', false],
  ])('%s has the cookie forgotten', async (_, has) => {
    const { ask, cookie } = await signingIn();
    const { status, set } = await ask('DELETE /api/session', has ? { ...OWN, ...(await cookie()) } : {});
    expect(status).toBe(204);
    expect(set).toEqual(['holdpoint_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict']);
    expect((await ask('GET /api/me', { cookie: 'holdpoint_session=' })).status).toBe(401);
  });
});

describe('a session', () => {
  test('ends with its key, and shuts out nobody', async () => {
    const BOB = { ...ADA, key: 'secret-bob', id: 'bob' };
    const { ask, cookie, write, signIn } = await signingIn({ entries: [ADA, BOB] });
    const headers = await cookie();
    const stream = await ask(`GET /api/plans/${ID}/events`, headers);
    expect(stream.status).toBe(200);
    write([BOB]);
    // The stream ends when the keys have been read again.
    expect(await stream.answer.text()).toBe('');
    for (let i = 0; i < 5; i++) expect((await ask('GET /api/me', headers)).status).toBe(401);
    expect((await signIn(BOB.key)).status).toBe(204);
  });

  test('counts for what Prometheus reads, and not for agents', async () => {
    const { ask, cookie } = await signingIn();
    const headers = { ...OWN, ...(await cookie()) };
    expect((await ask('GET /metrics', headers)).status).toBe(200);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const accept = { accept: 'application/json, text/event-stream' };
    const byCookie = await ask('POST /mcp', { ...headers, ...accept }, call);
    expect([byCookie.status, (await told(byCookie)).detail]).toEqual([401, expect.stringContaining('Authorization')]);
    const byKey = await ask('POST /mcp', { authorization: `Bearer ${ADA.key}`, ...accept }, call);
    expect(byKey.status).toBe(200);
  });

  test('says nothing beside an Authorization header', async () => {
    const { ask, cookie } = await signingIn();
    const authorization = 'Bearer wrong';
    expect((await ask('GET /api/me', { ...(await cookie()), authorization })).status).toBe(401);
    // Nor does a page of elsewhere matter then: browsers send that header for nobody.
    const by = { ...(await cookie()), authorization: `Bearer ${ADA.key}`, 'sec-fetch-site': 'cross-site' };
    expect((await ask('POST /api/plans', by, PLAN)).status).toBe(201);
  });

  test('that was made up counts as a guess', async () => {
    const { ask, signIn } = await signingIn();
    const tried = [];
    for (let i = 0; i < 4; i++) tried.push((await ask('GET /api/me', { cookie: `holdpoint_session=x${i}` })).status);
    expect(tried).toEqual([401, 401, 401, 429]);
    expect((await signIn()).status).toBe(429);
  });

  test('is not guessed at by signing in either', async () => {
    const { signIn } = await signingIn();
    const tried = [];
    for (let i = 0; i < 4; i++) tried.push((await signIn(`wrong-${i}`)).status);
    expect(tried).toEqual([401, 401, 401, 429]);
  });
});

describe('what a page may do with a session', () => {
  const cases: [string, Record<string, string>, boolean][] = [
    ['of this server', { 'sec-fetch-site': 'same-origin' }, true],
    ['of this server, whatever a proxy makes of the Host', { ...OWN, origin: 'https://plans.example' }, true],
    ['none: somebody at the browser', { 'sec-fetch-site': 'none' }, true],
    ['of another site', { 'sec-fetch-site': 'cross-site' }, false],
    ['of another site, that claims the Origin', { 'sec-fetch-site': 'cross-site', origin: 'ORIGIN' }, false],
    ['of another host of the site', { 'sec-fetch-site': 'same-site' }, false],
    ['of a browser that says the Origin alone', { origin: 'ORIGIN' }, true],
    ['of another Origin', { origin: 'https://evil.example' }, false],
    ['of an Origin that begins like this one', { origin: 'ORIGIN.evil.example' }, false],
    ['of no Origin', { origin: 'null' }, false],
    ['that nobody tells of', {}, false],
  ];
  const here = (headers: Record<string, string>, port: number) =>
    Object.fromEntries(Object.entries(headers).map(([k, v]) => [k, v.replace('ORIGIN', `http://127.0.0.1:${port}`)]));

  test.each(cases)('a page %s', async (_, headers, may) => {
    const { ask, signIn, cookie, subscribe, port, calls } = await signingIn();
    const by: Record<string, string> = { ...here(headers, port), ...(await cookie()) };
    const [created, forbidden] = may ? [201, 204] : [403, 403];
    const answer = await ask('POST /api/plans', by, PLAN);
    expect(answer.status).toBe(created);
    if (!may) expect(await told(answer)).toMatchObject({ code: 'PLAN_FORBIDDEN' });
    expect(calls.length).toBe(may ? 1 : 0);
    expect((await signIn(ADA.key, here(headers, port))).status).toBe(forbidden);
    const socket = await subscribe('', '', by);
    // A WebSocket has been for pages of this Host alone before.
    const isForeign = by.origin !== undefined && by.origin !== `http://127.0.0.1:${port}`;
    expect(socket.refused?.status).toBe(may && !isForeign ? undefined : 403);
    // What only reads is not shown to the page by its browser.
    expect((await ask('GET /api/me', by)).status).toBe(200);
  });

  test('the refusal says what to do', async () => {
    const { ask, cookie } = await signingIn();
    const foreign = await ask('POST /api/plans', { origin: 'https://evil.example', ...(await cookie()) }, PLAN);
    expect((await told(foreign)).detail).toMatch(/pages of this server only, and a page of "https:\/\/evil.example"/);
    const unknown = await ask('POST /api/plans', await cookie(), PLAN);
    expect((await told(unknown)).detail).toMatch(/no header that says which page .* "Authorization: Bearer KEY"/);
  });

  test('a ticket for the WebSocket, too', async () => {
    const { ask, cookie, subscribe } = await signingIn();
    const made = await ask('POST /api/ws/ticket', { ...OWN, ...(await cookie()) });
    const { ticket } = (await made.answer.json()) as { ticket: string };
    expect((await subscribe('', `?ticket=${ticket}`)).refused).toBeUndefined();
    expect((await ask('POST /api/ws/ticket', await cookie())).status).toBe(403);
  });
});
