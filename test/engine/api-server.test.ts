import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { serveApi } from '../../src/engine/api-server.ts';
import { thisBuild } from '../../src/engine/build.ts';
import { createAuthentication } from '../../src/identity/authentication.ts';
import { fakeService } from '../api/serve.ts';
import { tempDir } from '../support/world.ts';

const KEY = 'secret-ada';
const logger = pino({ level: 'silent' });

/** The API as the engine serves it with this environment, to which the embedded server has a Web UI. */
async function served(env: NodeJS.ProcessEnv) {
  const config = { ...loadConfig({ HOLDPOINT_HOME: '/nowhere', ...env }), port: 0 };
  const authentication = createAuthentication(config.identity, logger);
  const temporal = { namespace: 'plans', uiUrl: 'http://127.0.0.1:8233' };
  const { url, stop } = await serveApi(config, fakeService().service, logger, authentication, temporal);
  onTestFinished(async () => {
    authentication?.stop();
    await stop();
  });
  const at = url.replace('0.0.0.0', '127.0.0.1');
  return (path: string, headers: Record<string, string> = {}) => fetch(at + path, { headers });
}

function keys(): string {
  const file = join(tempDir('keys'), 'keys.json');
  writeFileSync(file, JSON.stringify([{ key: KEY, id: 'ada', name: 'Ada', org_id: 'acme', permissions: [] }]), {
    mode: 0o600,
  });
  return file;
}

describe('GET /api/about', () => {
  const UI = 'https://temporal.example/ui';
  test.each([
    ['on loopback, the embedded server’s', {}, 'http://127.0.0.1:8233'],
    ['for other machines none, for they do not reach it', { HOST: '0.0.0.0' }, null],
    ['what is named', { HOLDPOINT_TEMPORAL_UI_URL: UI }, UI],
    ['what is named, for other machines', { HOST: '0.0.0.0', HOLDPOINT_TEMPORAL_UI_URL: `${UI}//` }, UI],
    ['what is named, without a path', { HOLDPOINT_TEMPORAL_UI_URL: 'http://temporal:8080' }, 'http://temporal:8080'],
  ])('tells the Temporal Web UI: %s', async (_, env, ui_url) => {
    const ask = await served({ HOLDPOINT_API_KEYS: keys(), ...env });
    const answer = await ask('/api/about', { authorization: `Bearer ${KEY}` });
    expect(await answer.json()).toEqual({
      version: thisBuild().version,
      authentication: 'required',
      temporal: { namespace: 'plans', ui_url },
    });
  });

  test('is for callers who are known, whatever they may do', async () => {
    const ask = await served({ HOLDPOINT_API_KEYS: keys() });
    expect((await ask('/api/about')).status).toBe(401);
  });

  test('says that nobody has to sign in where it is so', async () => {
    const answer = await (await served({}))('/api/about');
    expect(await answer.json()).toMatchObject({ authentication: 'none' });
  });
});

test.each(['temporal.example', 'ftp://temporal.example', 'https://', 'https://temporal.example?a=b', 'https://a:b@c'])(
  'HOLDPOINT_TEMPORAL_UI_URL=%s is refused',
  (HOLDPOINT_TEMPORAL_UI_URL) => {
    expect(() => loadConfig({ HOLDPOINT_TEMPORAL_UI_URL })).toThrow(/^HOLDPOINT_TEMPORAL_UI_URL is .*; give an http/);
  },
);
