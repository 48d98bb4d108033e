import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newHome } from '../support/engine.ts';
import { tempDir, until } from '../support/world.ts';

const ADA = { key: 'secret-ada', id: 'ada', name: 'Ada', org_id: 'acme', permissions: ['plan:read'] };

function homeWith(keys: unknown, env: NodeJS.ProcessEnv = {}) {
  const file = join(tempDir('keys'), 'keys.json');
  writeFileSync(file, typeof keys === 'string' ? keys : JSON.stringify(keys, null, 2), { mode: 0o600 });
  const home = newHome({ HOLDPOINT_API_KEYS: file, ...env });
  onTestFinished(() => home.end());
  return { ...home, file };
}

test.each<[string, NodeJS.ProcessEnv, string]>([
  [
    'without authentication on another address',
    { HOST: '0.0.0.0' },
    'without authentication the API binds to loopback only',
  ],
  [
    'with half a JWT setting',
    { HOLDPOINT_JWT_ISSUER: 'https://x' },
    'HOLDPOINT_JWT_AUDIENCE and HOLDPOINT_JWT_JWKS_URL',
  ],
  [
    'with a proxy that is no address',
    { HOLDPOINT_API_KEYS: '/dev/null', HOLDPOINT_TRUSTED_PROXIES: 'proxy' },
    'HOLDPOINT_TRUSTED_PROXIES: invalid IP address: proxy',
  ],
])('the engine does not start %s', async (_, env, why) => {
  const home = newHome();
  onTestFinished(() => home.end());
  const { code, err } = await home.start(['up'], env).done;
  expect(err).toContain(why);
  expect(code).toBe(2);
});

test('the engine does not start with a broken key file, and says what is wrong in it and where', async () => {
  const home = homeWith([{ ...ADA, permissions: ['plan:raed'], org_id: 'a/b' }]);
  const { code, err, out } = await home.cli('up');
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(
    /has 2 problems:\n {2}line 6, column 15, 0\.org_id: .*\n {2}line 8, column 7, 0\.permissions\.0: /,
  );
  expect(err).toContain(home.file);
  expect(err).not.toMatch(/secret| at /);
});

test('with keys the engine serves other addresses too, to those who have one', async () => {
  const home = homeWith([ADA], { HOST: '0.0.0.0' });
  const engine = await home.up();
  expect(engine.output()).toContain('plain HTTP');
  const status = async (path: string, key?: string) => {
    const headers = { host: 'plans.example', ...(key && { authorization: `Bearer ${key}` }) };
    return (await fetch(engine.url + path, { headers })).status;
  };
  expect(await status('/healthz')).toBe(200);
  expect(await status('/api/plans')).toBe(401);
  expect(await status('/api/plans', 'secret-ada')).toBe(200);
  expect(await status('/metrics', 'secret-ada')).toBe(403);
  writeFileSync(home.file, JSON.stringify([{ ...ADA, key: 'secret-new' }]));
  await until('the new key works', async () => (await status('/api/plans', 'secret-new')) === 200);
  expect(await status('/api/plans', 'secret-ada')).toBe(401);
  chmodSync(home.file, 0o600);
  await engine.stop();
});
