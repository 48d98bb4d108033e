import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import pino from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CallerOf } from '../../src/api/authenticate.ts';
import { watchCallers } from '../../src/api/still-allowed.ts';
import { createAuthentication } from '../../src/identity/authentication.ts';
import { localCaller, PERMISSIONS } from '../../src/service/caller.ts';
import { tempDir, until } from '../support/world.ts';
import { PLAN, serve } from './serve.ts';

const ADA = { key: 'secret-ada', id: 'ada', name: 'Ada L.', org_id: 'acme', permissions: ['plan:read'] };

const keys = (entries: object[], options = {}): CallerOf => authenticated(entries, options).callerOf;

function authenticated(entries: object[], { trustedProxies = [] as string[], mostWrong = 3 } = {}) {
  const apiKeys = join(tempDir('keys'), 'keys.json');
  writeFileSync(apiKeys, JSON.stringify(entries), { mode: 0o600 });
  const config = { apiKeys, jwt: undefined, rateLimit: undefined, trustedProxies };
  const authentication = createAuthentication(config, pino({ level: 'silent' }), { mostWrong })!;
  onTestFinished(() => authentication.stop());
  return { ...authentication, apiKeys };
}
const as = (key: string, more = {}) => ({ headers: { authorization: `Bearer ${key}`, ...more } });

describe('GET /api/me', () => {
  test('says who calls, what they may do, and until when', async () => {
    const expires_at = '2999-01-31T09:00:00.000Z';
    const { ask } = await serve({}, { callerOf: keys([{ ...ADA, expires_at }]) });
    const { json } = await ask('GET /api/me', as('secret-ada'));
    expect(json).toEqual({ id: 'ada', name: 'Ada L.', org_id: 'acme', permissions: ['plan:read'], expires_at });
  });

  test('spells out what admin has', async () => {
    const { ask } = await serve({}, { callerOf: keys([{ ...ADA, permissions: ['admin'] }]) });
    expect((await ask('GET /api/me', as('secret-ada'))).json).toMatchObject({
      permissions: PERMISSIONS,
      expires_at: null,
    });
  });

  test('without authentication is the user of this machine, who may do everything', async () => {
    const { ask } = await serve();
    expect((await ask('GET /api/me')).json).toMatchObject({ id: 'local', org_id: 'local', permissions: PERMISSIONS });
  });
});

describe('an Authorization header', () => {
  test.each([
    ['Bearer secret-ada', 200],
    ['bearer   secret-ada ', 200],
    ['secret-ada', 401],
    ['Basic secret-ada', 401],
    ['Bearer', 401],
    ['Bearer secret-ada secret-ada', 401],
    ['Bearer secret-ad', 401],
    ['Bearer SECRET-ADA', 401],
    ['Bearer sécret', 401],
    [`Bearer ${'x'.repeat(10_000)}`, 401],
  ])('"%s" is %i', async (authorization, status) => {
    const { ask } = await serve({}, { callerOf: keys([ADA]) });
    const answer = await ask('GET /api/me', { headers: { authorization } });
    expect(answer.status).toBe(status);
    if (status === 401) expect(answer.json.code).toBe('UNAUTHENTICATED');
  });

  test('with a key that has expired is told so', async () => {
    const { ask } = await serve({}, { callerOf: keys([{ ...ADA, expires_at: '2020-01-01T00:00:00Z' }]) });
    const { status, json } = await ask('GET /api/me', as('secret-ada'));
    expect([status, json.detail]).toEqual([401, 'the API key "ada" has expired']);
  });

  test('never shows in the log, however it went', async () => {
    const { ask, log } = await serve({}, { callerOf: keys([ADA]) });
    await ask('GET /api/me', as('secret-ada'));
    await ask('GET /api/me', as('secret-wrong'));
    expect(log.length).toBe(2);
    expect(JSON.stringify(log)).not.toContain('secret');
  });
});

describe('wrong keys', () => {
  const times = async <T>(n: number, what: () => Promise<T>) => {
    const answers: T[] = [];
    while (answers.length < n) answers.push(await what());
    return answers;
  };

  test('may be tried a few times from one address; then even the right one has to wait', async () => {
    const { ask } = await serve({}, { callerOf: keys([ADA]) });
    await times(10, () => ask('GET /api/me'));
    await times(10, () => ask('GET /api/me', as('secret-ada')));
    const tried = await times(4, () => ask('GET /api/me', as('secret-wrong')));
    expect(tried.map(({ status }) => status)).toEqual([401, 401, 401, 429]);
    const right = await ask('GET /api/me', as('secret-ada'));
    expect(right).toMatchObject({ status: 429, json: { code: 'RATE_LIMITED' } });
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('count for the address that a trusted proxy names, and for nobody else', async () => {
    const { ask } = await serve({}, { callerOf: keys([ADA], { trustedProxies: ['loopback'] }) });
    const from = (address: string, key: string) => ask('GET /api/me', as(key, { 'x-forwarded-for': address }));
    await times(4, () => from('203.0.113.7', 'secret-wrong'));
    expect((await from('203.0.113.7', 'secret-ada')).status).toBe(429);
    expect((await from('203.0.113.8', 'secret-ada')).status).toBe(200);
  });

  test('count for the peer where it is no trusted proxy, whatever it claims', async () => {
    const { ask } = await serve({}, { callerOf: keys([ADA]) });
    let n = 0;
    const claim = () => ask('GET /api/me', as('secret-wrong', { 'x-forwarded-for': `203.0.113.${n++}` }));
    expect((await times(4, claim)).map(({ status }) => status)).toEqual([401, 401, 401, 429]);
  });

  test('count over all ways in: a stream or an upgrade asks the same function', async () => {
    const callerOf = keys([ADA]);
    const request = { headers: { authorization: 'Bearer wrong' }, socket: { remoteAddress: '::1' } } as IncomingMessage;
    await times(3, () => expect(callerOf(request)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' }));
    await expect(callerOf(request)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });
});

describe('a key that is taken out of the file', () => {
  const GOOD = { ...ADA, key: 'secret-bob', id: 'bob' };
  const withKey = (key: string) =>
    ({ headers: { authorization: `Bearer ${key}` }, socket: { remoteAddress: '::1' } }) as IncomingMessage;

  test('ends what it had opened at once, and shuts out nobody else of its address, however often it is asked again', async () => {
    const { callerOf, recheck, onChange, apiKeys } = authenticated([ADA, GOOD]);
    const watch = watchCallers({ recheck, onChange });
    const caller = await callerOf(withKey('secret-ada'));
    let [lost, kept] = [0, 0];
    for (let i = 0; i < 100; i++) watch.over(withKey('secret-ada'), caller, () => lost++);
    const end = watch.over(withKey('secret-bob'), await callerOf(withKey('secret-bob')), () => kept++);
    writeFileSync(apiKeys, JSON.stringify([GOOD]));
    // By the file alone: what is asked every 30 seconds would come too late.
    await until('all are told', () => lost === 100, 5_000);
    for (let i = 0; i < 10; i++)
      await expect(recheck(withKey('secret-ada'))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    // Whoever was let go comes again with it: that is no guess either.
    for (let i = 0; i < 10; i++)
      await expect(callerOf(withKey('secret-ada'))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect((await callerOf(withKey('secret-bob'))).principal.id).toBe('bob');
    expect(kept).toBe(0);
    end();
  });
});

describe('the rate limit', () => {
  const callerOf: CallerOf = async ({ headers }) => {
    const [org_id = '', id = ''] = (headers.authorization ?? '').split(' ');
    return { ...localCaller('rest'), principal: { id, name: id, org_id } };
  };
  const by = (authorization: string) => ({ headers: { authorization } });

  test('is each caller’s own; who is over it is told when to come back', async () => {
    const { ask, calls } = await serve({}, { callerOf, rateLimit: 2 });
    const first = await ask('GET /api/plans', by('acme ada'));
    expect(first.headers).toMatchObject({
      'ratelimit-policy': expect.stringContaining('q=2; w=60'),
      ratelimit: expect.stringContaining('r=1'),
    });
    await ask('GET /api/plans', by('acme ada'));
    const third = await ask('GET /api/plans', by('acme ada'));
    expect(third).toMatchObject({ status: 429, json: { code: 'RATE_LIMITED', status: 429 } });
    expect(third.headers['content-type']).toContain('application/problem+json');
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
    expect(third.json.detail).toContain(`try again in ${third.headers['retry-after']} s`);
    expect(calls.length).toBe(2);
    for (const other of ['acme bob', 'evil ada']) expect((await ask('GET /api/plans', by(other))).status).toBe(200);
    expect((await ask('GET /healthz')).status).toBe(200);
  });

  test('is not there unless it is asked for', async () => {
    const { ask } = await serve({}, { callerOf });
    expect((await ask('GET /api/plans', by('acme ada'))).headers).not.toHaveProperty('ratelimit');
  });
});

test.each(['GET /healthz', 'GET /nowhere', 'GET /api/plans', 'POST /api/plans'])(
  '%s shows nothing in a browser and runs nothing',
  async (target) => {
    const { ask } = await serve();
    const { headers } = await ask(target, target.startsWith('POST') ? { body: PLAN } : {});
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-cache',
    });
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  },
);
