import { chmodSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAtLeast } from '../../src/cli/checks.ts';
import { fakeCli } from './fake-cli.ts';

const home = () => mkdtempSync(join(tmpdir(), 'holdpoint-doctor-'));

/** A folder of programs, to be the whole PATH. */
function programs(...names: string[]): string {
  const folder = home();
  for (const name of names) {
    writeFileSync(join(folder, name), '');
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

test('all is well: seven lines, each ok, exit 0', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  const folder = home();
  const { run, out, err, connects } = fakeCli({
    env: { PATH: programs('bash', 'git') },
    status: {
      running: true,
      ready: true,
      home: folder,
      pid: 7,
      mode: 'detached',
      urls: { api: '', temporalUi: '', temporal: `127.0.0.1:${port}` },
    },
    service: { ready: async () => true },
  });
  expect(await run('doctor')).toBe(0);
  server.close();
  expect(out.map((line) => line.slice(0, 21).trimEnd())).toEqual([
    'ok  node',
    'ok  home',
    'ok  bash',
    'ok  git',
    'ok  engine',
    'ok  temporal server',
    'ok  worker',
  ]);
  expect({ err, connects, left: readdirSync(folder) }).toEqual({ err: [], connects: [{ start: false }], left: [] });
});

test('what is missing has a line that says what to do, exit 6; nothing is started', async () => {
  const file = join(home(), 'file');
  writeFileSync(file, '');
  const { run, out, connects } = fakeCli({ env: { PATH: programs('bash') }, status: { home: join(file, 'below') } });
  expect(await run('doctor')).toBe(6);
  const line = (name: string) => out.find((text) => text.slice(4).startsWith(name));
  expect(line('home')).toMatch(/^!! .*; set HOLDPOINT_HOME to a folder that can be written$/);
  expect(line('git')).toBe('!!  git              not on PATH; install git: worktrees need it');
  expect(line('engine')).toMatch(/^!! .*start one with: holdpoint up/);
  expect(line('temporal server')).toMatch(/^!! /);
  expect(line('worker')).toMatch(/^!! /);
  expect(connects).toEqual([]);
});

test('a worker that does not answer and a server that does not listen are told from an engine that runs', async () => {
  const folder = home();
  mkdirSync(folder, { recursive: true });
  const { run, out } = fakeCli({
    env: { PATH: programs('bash', 'git') },
    status: { running: true, ready: true, home: folder, urls: { api: '', temporalUi: '', temporal: '127.0.0.1:1' } },
    service: { ready: async () => false },
  });
  expect(await run('doctor', '--json')).toBe(6);
  const { ok, checks } = JSON.parse(out.join('\n')) as { ok: boolean; checks: { name: string; ok: boolean }[] };
  expect(ok).toBe(false);
  expect(checks.filter((check) => !check.ok).map(({ name }) => name)).toEqual(['temporal server', 'worker']);
});

test.each([
  ['20.19.0', '20.19', true],
  ['20.18.3', '20.19', false],
  ['22.1.0', '20.19', true],
  ['18.20.0', '20.19', false],
])('node %s against at least %s: %s', (version, least, enough) => expect(isAtLeast(version, least)).toBe(enough));
