import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { loadConfig } from '../../src/config.ts';
import { identify, isAlive } from '../../src/home/process-identity.ts';
import { connectClient } from '../../src/temporal/connection.ts';
import { type EmbeddedServer, findEmbeddedServer, startEmbeddedServer } from '../../src/temporal/embedded-server.ts';
import { obtainTemporal } from '../../src/temporal/obtain-temporal.ts';
import {
  databasePath,
  readServerRecord,
  type ServerRecord,
  serverLogPath,
  serverRecordPath,
  writeServerRecord,
} from '../../src/temporal/server-record.ts';
import { compileFixtures } from './compiled.ts';
import { atEnd, kill, runProgram, script, temporaryFolder, temporaryHome, VERSION_LINE } from './home.ts';

let fixtures: string;
let temporal: string;
beforeAll(async () => {
  fixtures = compileFixtures();
  temporal = await obtainTemporal(loadConfig());
}, 15 * 60_000);

/** A process of its own that starts or adopts the home's server and then only lives. */
const starter = ({ home, cache }: Config, at = 0) =>
  runProgram(join(fixtures, 'start-server.js'), [String(at)], {
    PATH: process.env.PATH,
    HOLDPOINT_HOME: home,
    XDG_CACHE_HOME: join(cache, '..'),
  });

type Said = Pick<EmbeddedServer, 'address' | 'identity' | 'adopted' | 'uiUrl'>;

/** The pids of the servers that run on this home's database, however they came to. */
function serversOf(config: Config): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((pid) => {
    try {
      const isServer = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(databasePath(config));
      return isServer && identify(pid) !== undefined;
    } catch {
      return false;
    }
  });
}

function staleRecord(config: Config, changes: Partial<ServerRecord> = {}): void {
  mkdirSync(config.home, { recursive: true });
  const dead = { pid: 4_000_000, started: 'earlier', port: 17233, ui_port: 18233 };
  writeServerRecord(config, { schema_version: 1, sqlite_synchronous: 'NORMAL', is_new: false, ...dead, ...changes });
}

async function occupy(port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((done) => server.once('error', () => done()).listen(port, '127.0.0.1', done));
  atEnd(() => server.close());
}

async function answersAt(address: string): Promise<boolean> {
  const connection = await connectClient({ address });
  await connection.close();
  return true;
}

test('a server that was started answers at its address, has its Web UI, and knows whose it is', async () => {
  const config = temporaryHome({ sqliteSynchronous: 'FULL' });
  const server = await startEmbeddedServer(config);
  expect(server).toMatchObject({ namespace: 'default', adopted: false, sqliteSynchronous: 'FULL' });
  expect(server.address).toMatch(/^127\.0\.0\.1:\d+$/);
  expect(await answersAt(server.address)).toBe(true);
  await expect.poll(async () => (await fetch(server.uiUrl).catch(() => undefined))?.status).toBe(200);
  const proc = (name: string) => readFileSync(`/proc/${server.identity.pid}/${name}`, 'utf8');
  expect(proc('environ').split('\0')).toContain(`HOLDPOINT_HOME=${config.home}`);
  expect(proc('cmdline')).toContain('synchronous=FULL');
  expect(statSync(config.home).mode & 0o077).toBe(0);
});

test('of several starters at the same time one starts the server, and all have it', async () => {
  const config = temporaryHome();
  const at = Date.now() + 2000;
  const starters = [1, 2, 3].map(() => starter(config, at));
  const said = (await Promise.all(starters.map((each) => each.next()))) as Said[];
  expect(new Set(said.map(({ identity }) => identity.pid)).size).toBe(1);
  expect(said.filter(({ adopted }) => !adopted)).toHaveLength(1);
  expect(serversOf(config)).toEqual([said[0]?.identity.pid]);
});

test('a server outlives its starter and is adopted by the next one', async () => {
  const config = temporaryHome();
  const first = starter(config);
  const { identity, address } = (await first.next()) as Said;
  await kill(first.child);
  expect(await startEmbeddedServer(config)).toMatchObject({ adopted: true, identity, address });
  expect(serversOf(config)).toEqual([identity.pid]);
});

test('a starter that is killed before its server answers leaves a server that is adopted, or none', async () => {
  const config = temporaryHome();
  const first = starter(config);
  await expect.poll(() => readServerRecord(config), { interval: 5, timeout: 5000 }).toMatchObject({ is_new: true });
  await kill(first.child);
  const server = await startEmbeddedServer(config);
  expect(serversOf(config)).toEqual([server.identity.pid]);
  expect(readServerRecord(config)).toMatchObject({ ...server.identity, is_new: false });
});

describe('a record that is stale', () => {
  test('because its process is dead is replaced, on the same ports', async () => {
    const config = temporaryHome();
    const first = await startEmbeddedServer(config);
    process.kill(first.identity.pid, 'SIGKILL');
    await expect.poll(() => isAlive(first.identity)).toBe(false);
    const second = await startEmbeddedServer(config);
    expect(second).toMatchObject({ adopted: false, address: first.address, uiUrl: first.uiUrl });
    expect(second.identity).not.toEqual(first.identity);
    expect(readServerRecord(config)).toMatchObject(second.identity);
  });

  test('because its pid belongs to another program now is replaced, and that program lives on', async () => {
    const config = temporaryHome();
    const other = spawn('sleep', ['60']);
    atEnd(() => kill(other));
    staleRecord(config, { pid: other.pid! });
    const server = await startEmbeddedServer(config);
    expect(server.adopted).toBe(false);
    await server.stop();
    expect(isAlive(identify(other.pid!)!)).toBe(true);
  });

  test('because it is corrupt does not lead to a second server on the database', async () => {
    const config = temporaryHome();
    const first = await startEmbeddedServer(config);
    writeFileSync(serverRecordPath(config), '{"schema_version": 1, "pi');
    const { identity, address, uiUrl } = first;
    expect(await startEmbeddedServer(config)).toMatchObject({ adopted: true, identity, address, uiUrl });
    expect(readServerRecord(config)).toMatchObject(identity);
    expect(serversOf(config)).toEqual([identity.pid]);
  });

  test('because the server died while it made its database leads to a new database', async () => {
    const config = temporaryHome();
    staleRecord(config, { is_new: true });
    writeFileSync(databasePath(config), '');
    const server = await startEmbeddedServer(config);
    expect(await answersAt(server.address)).toBe(true);
  });
});

test('a server that runs but does not answer is ended and replaced', async () => {
  const config = temporaryHome();
  const first = await startEmbeddedServer(config);
  process.kill(first.identity.pid, 'SIGSTOP');
  const shown: string[] = [];
  const second = await startEmbeddedServer(config, ({ detail }) => shown.push(detail));
  expect(isAlive(first.identity)).toBe(false);
  expect(second.adopted).toBe(false);
  expect(await answersAt(second.address)).toBe(true);
  expect(shown).toContain(`ending the Temporal server with pid ${first.identity.pid}, which does not answer`);
});

describe('ports', () => {
  test('that are taken are avoided', async () => {
    const config = temporaryHome();
    staleRecord(config);
    for (const port of [17233, 7233, 8233]) await occupy(port);
    const server = await startEmbeddedServer(config);
    expect(['127.0.0.1:17233', '127.0.0.1:7233']).not.toContain(server.address);
    expect(await answersAt(server.address)).toBe(true);
  });

  test('that somebody takes while the server starts lead to another try with others', async () => {
    const marker = join(temporaryFolder(), 'tried');
    const program = script(
      join(temporaryFolder(), 'temporal'),
      `[ "$1" = --version ] && exec ${temporal} --version`,
      `if [ ! -e ${marker} ]; then`,
      `  echo "$6 $8" > ${marker}; echo "can't set frontend port $6: bind: address already in use" >&2; exit 1`,
      'fi',
      `exec ${temporal} "$@"`,
    );
    const config = temporaryHome({ temporalCliPath: program });
    const server = await startEmbeddedServer(config);
    expect(readFileSync(marker, 'utf8')).not.toContain(server.address.split(':')[1]);
    expect(await answersAt(server.address)).toBe(true);
  });

  test('that another Temporal takes while ours starts do not make us take it for ours', async () => {
    const folder = temporaryFolder();
    const pidFile = join(folder, 'pid');
    atEnd(() => existsSync(pidFile) && process.kill(Number(readFileSync(pidFile, 'utf8'))));
    const program = script(
      join(folder, 'temporal'),
      `[ "$1" = --version ] && exec ${temporal} --version`,
      `if [ ! -e ${pidFile} ]; then`,
      `  ${temporal} server start-dev --headless --ip 127.0.0.1 --port $6 >/dev/null 2>&1 & echo $! > ${pidFile}`,
      `  for n in $(seq 200); do bash -c "exec 3<>/dev/tcp/127.0.0.1/$6" 2>/dev/null && break; sleep 0.1; done`,
      'fi',
      `exec ${temporal} "$@"`,
    );
    const server = await startEmbeddedServer(temporaryHome({ temporalCliPath: program }));
    const commandLine = readFileSync(`/proc/${readFileSync(pidFile, 'utf8').trim()}/cmdline`, 'utf8').split('\0');
    expect(commandLine).not.toContain(server.address.split(':')[1]);
    expect(await answersAt(server.address)).toBe(true);
  }, 30_000);
});

test('a server that ends while it starts is a fault with its last words, and leaves nothing behind', async () => {
  const program = script(
    join(temporaryFolder(), 'temporal'),
    `[ "$1" = --version ] && ${VERSION_LINE} && exit`,
    'touch temporal.db; for n in 1 2 3 4 5 6; do echo "trouble $n" >&2; done; exit 1',
  );
  const config = temporaryHome({ temporalCliPath: program });
  const failure = await startEmbeddedServer(config).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
  expect(String(failure)).toContain(`ended while it was starting. The last lines of ${serverLogPath(config)}:`);
  expect(String(failure).match(/trouble \d/g)).toEqual([2, 3, 4, 5, 6].map((n) => `trouble ${n}`));
  expect(existsSync(serverRecordPath(config))).toBe(false);
  expect(existsSync(databasePath(config))).toBe(false);
});

test('stop ends the server and forgets it; plans stay in the database', async () => {
  const config = temporaryHome();
  const server = await startEmbeddedServer(config);
  expect(findEmbeddedServer(config)).toMatchObject({ identity: server.identity, address: server.address });
  await server.stop();
  expect(isAlive(server.identity)).toBe(false);
  expect(findEmbeddedServer(config)).toBeUndefined();
  expect(existsSync(serverRecordPath(config))).toBe(false);
  expect(existsSync(databasePath(config))).toBe(true);
});

test('stop of a server that is gone leaves its successor alone', async () => {
  const config = temporaryHome();
  const first = await startEmbeddedServer(config);
  await first.stop();
  const second = await startEmbeddedServer(config);
  await first.stop();
  expect(await answersAt(second.address)).toBe(true);
  expect(readServerRecord(config)).toMatchObject(second.identity);
});

test('a log that has grown large is begun anew', async () => {
  const config = temporaryHome();
  const log = serverLogPath(config);
  mkdirSync(join(config.home, 'logs'), { recursive: true });
  writeFileSync(log, 'old');
  await (await startEmbeddedServer(config)).stop();
  expect(readFileSync(log, 'utf8')).toMatch(/^old/);
  truncateSync(log, 21 * 1024 * 1024);
  await startEmbeddedServer(config);
  expect(statSync(log).size).toBeLessThan(10_000);
  rmSync(log);
});
