import { exportSPKI, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { identityConfig } from '../../src/identity-config.ts';
import { CLAIMS, issuer } from './issuer.ts';

const now = () => Math.floor(Date.now() / 1_000);

test('a token says who calls, for which organisation, what they may do, and until when', async () => {
  const { read, sign } = await issuer();
  const exp = now() + 300;
  expect(await read(await sign({}, { exp }))).toEqual({
    principal: { id: 'ada', name: 'Ada L.', org_id: 'acme' },
    permissions: ['plan:read'],
    expires_at: exp * 1_000,
  });
});

describe('what a token may say', () => {
  test.each<[string, JWTPayload, object]>([
    [
      'permissions as words of one text',
      { permissions: 'openid plan:read plan:approve' },
      { permissions: ['plan:read', 'plan:approve'] },
    ],
    ['no permissions: a caller who may do nothing', { permissions: undefined }, { permissions: [] }],
    [
      'no name: the subject stands for it',
      { name: undefined },
      { principal: { id: 'ada', name: 'ada', org_id: 'acme' } },
    ],
    ['several audiences', { aud: ['other', 'holdpoint'] }, {}],
  ])('%s', async (_, claims, caller) => {
    const { read, sign } = await issuer();
    expect(await read(await sign(claims))).toMatchObject(caller);
  });

  test('claims go by the names that are configured, plain or as a path', async () => {
    const { read, sign } = await issuer({
      HOLDPOINT_JWT_ORG_CLAIM: 'https://acme.example/org',
      HOLDPOINT_JWT_PERMISSIONS_CLAIM: 'realm_access.roles',
      HOLDPOINT_JWT_NAME_CLAIM: 'preferred_username',
    });
    const token = await sign({
      'https://acme.example/org': 'other',
      realm_access: { roles: ['plan:create'] },
      preferred_username: 'ada.l',
    });
    expect(await read(token)).toMatchObject({
      principal: { id: 'ada', name: 'ada.l', org_id: 'other' },
      permissions: ['plan:create'],
    });
  });

  test('a few seconds between clocks are forgiven', async () => {
    const { read, sign } = await issuer();
    expect(await read(await sign({ nbf: now() + 10 }, { exp: now() - 10 }))).toBeDefined();
  });
});

describe('a token is not accepted', () => {
  test.each<[string, JWTPayload, { exp?: number | null; kid?: string }, RegExp]>([
    ['of another issuer', { iss: 'https://evil.example' }, {}, /"iss"/],
    ['for another audience', { aud: 'other' }, {}, /"aud"/],
    ['that has expired', {}, { exp: now() - 120 }, /"exp"/],
    ['that is not valid yet', { nbf: now() + 120 }, {}, /"nbf"/],
    ['that never expires', {}, { exp: null }, /"exp"/],
    ['that expires when no date can say', {}, { exp: 1e300 }, /"exp" is a time after/],
    ['without a subject', { sub: undefined }, {}, /"sub"/],
    ['without an organisation', { org_id: undefined }, {}, /claim "org_id" is missing/],
    ['of an organisation with a slash', { org_id: 'acme/x' }, {}, /claim "org_id" has to be/],
    ['of an organisation that is no text', { org_id: ['acme'] }, {}, /claim "org_id"/],
    ['with permissions of no known form', { permissions: { 'plan:read': true } }, {}, /claim "permissions"/],
    ['with a name of two lines', { name: 'Ada\nroot' }, {}, /claim "name"/],
    ['signed with a key that the issuer does not have', {}, { kid: 'made-up' }, /no applicable key/],
  ])('%s', async (_, claims, how, why) => {
    const { read, sign } = await issuer();
    const token = await sign(claims, how);
    await expect(read(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED', message: expect.stringMatching(why) });
  });

  test('that nobody signed, or that is signed with the public key as if it were a secret', async () => {
    const { read, publicKey } = await issuer();
    const claims = { ...CLAIMS, iss: 'https://issuer.example', aud: 'holdpoint' };
    const secret = new TextEncoder().encode(await exportSPKI(publicKey()));
    const hmac = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'first' }).setExpirationTime('5m');
    for (const token of [new UnsecuredJWT(claims).setExpirationTime('5m').encode(), await hmac.sign(secret)])
      await expect(read(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('that is signed in a way that is not configured, though the issuer has such a key', async () => {
    const { read, sign, addKey } = await issuer();
    await addKey('other', 'PS256');
    await expect(read(await sign({}, { kid: 'other', alg: 'PS256' }))).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
  });

  test('that was changed on the way', async () => {
    const { read, sign } = await issuer();
    const [head, , signature] = (await sign()).split('.');
    const body = Buffer.from(JSON.stringify({ ...CLAIMS, org_id: 'evil' })).toString('base64url');
    for (const token of [`${head}.${body}.${signature}`, 'a.b.c', '..', 'nonsense'])
      await expect(read(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});

test('a new key of the issuer is found', async () => {
  const { read, sign, addKey, asked } = await issuer();
  await read(await sign());
  await read(await sign());
  expect(asked()).toBe(1);
  await addKey('second', 'ES256');
  expect(await read(await sign({}, { kid: 'second', alg: 'ES256' }))).toMatchObject({ principal: { id: 'ada' } });
  expect(asked()).toBe(2);
});

test('an issuer that does not give its keys makes nobody a stranger', async () => {
  const { read, sign, answer, down } = await issuer();
  const token = await sign();
  const unavailable = { code: 'IDENTITY_UNAVAILABLE', message: expect.stringMatching(/127\.0\.0\.1:\d+/) };
  answer(500);
  await expect(read(token)).rejects.toMatchObject(unavailable);
  await down();
  await expect(read(token)).rejects.toMatchObject(unavailable);
});

describe('the configuration', () => {
  const good = {
    HOLDPOINT_JWT_ISSUER: 'https://issuer.example',
    HOLDPOINT_JWT_AUDIENCE: 'holdpoint',
    HOLDPOINT_JWT_JWKS_URL: 'https://issuer.example/jwks',
  };
  test.each<[NodeJS.ProcessEnv, RegExp]>([
    [{ HOLDPOINT_JWT_AUDIENCE: '' }, /HOLDPOINT_JWT_AUDIENCE must be set too/],
    [
      { HOLDPOINT_JWT_ISSUER: '', HOLDPOINT_JWT_JWKS_URL: '' },
      /HOLDPOINT_JWT_ISSUER and HOLDPOINT_JWT_JWKS_URL must be/,
    ],
    [
      { HOLDPOINT_JWT_JWKS_URL: 'http://issuer.example/jwks' },
      /HOLDPOINT_JWT_JWKS_URL is "http:.*give an https address/,
    ],
    [{ HOLDPOINT_JWT_JWKS_URL: 'issuer' }, /HOLDPOINT_JWT_JWKS_URL is "issuer"/],
    [{ HOLDPOINT_JWT_ALGORITHMS: 'RS256,none' }, /HOLDPOINT_JWT_ALGORITHMS names "none"/],
    [{ HOLDPOINT_JWT_ALGORITHMS: 'HS256' }, /HOLDPOINT_JWT_ALGORITHMS names "HS256"/],
    [{ HOLDPOINT_RATE_LIMIT: 'many' }, /HOLDPOINT_RATE_LIMIT is "many"/],
    [{ HOLDPOINT_RATE_LIMIT: '0' }, /HOLDPOINT_RATE_LIMIT is "0"/],
  ])('%j is refused', (more, why) => {
    expect(() => identityConfig({ ...good, ...more })).toThrow(why);
  });
});
