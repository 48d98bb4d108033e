import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withoutSecrets } from '../../src/temporal/child-environment.ts';
import { spawnServer } from '../../src/temporal/server-process.ts';
import { until } from '../support/world.ts';
import { atEnd, script, temporaryFolder, temporaryHome } from './home.ts';

test('the environment of a child has what programs need, and no secret', () => {
  const needed = { PATH: '/bin', HOME: '/home/me', GOPROXY: 'direct', HTTPS_PROXY: 'http://proxy:3128', LANG: 'C' };
  const secret = [
    ...['HOLDPOINT_SECRET_X', 'HOLDPOINT_API_KEYS', 'TEMPORAL_API_KEY', 'GITHUB_TOKEN', 'AWS_SECRET_ACCESS_KEY'],
    ...['PGPASSWORD', 'OPENAI_API_KEY', 'GOOGLE_APPLICATION_CREDENTIALS'],
  ];
  const given = { ...needed, ...Object.fromEntries(secret.map((name) => [name, 'x'])) };
  expect(withoutSecrets(given)).toEqual(needed);
});

test('the Temporal server is started without the secrets of the engine', async () => {
  process.env.HOLDPOINT_SECRET_CHILD = 'of-the-engine';
  atEnd(() => delete process.env.HOLDPOINT_SECRET_CHILD);
  const config = temporaryHome();
  const seen = join(temporaryFolder(), 'seen');
  mkdirSync(config.home, { recursive: true });
  const program = script(join(temporaryFolder(), 'temporal'), `env > ${seen}.part; mv ${seen}.part ${seen}`);
  const server = spawnServer(config, program, { port: 1, ui_port: 2 });
  await until('it has ended', () => server.hasEnded());
  const environment = readFileSync(seen, 'utf8');
  expect(environment).toContain(`HOLDPOINT_HOME=${config.home}`);
  expect(environment).not.toContain('of-the-engine');
});
