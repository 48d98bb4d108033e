import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import * as tar from 'tar';
import { beforeAll, describe, expect, test } from 'vitest';
import { cachedTemporal, obtainTemporal } from '../../src/temporal/obtain-temporal.ts';
import type { Progress } from '../../src/temporal/progress.ts';
import { compileFixtures } from './compiled.ts';
import { atEnd, emptyCache, kill, REFUSED, runProgram, script, temporaryFolder, VERSION_LINE } from './home.ts';

let fixtures: string;
beforeAll(() => {
  fixtures = compileFixtures();
});

const NO_PROGRAMS = { PATH: '/nowhere' };
const silently = () => undefined;

/** A folder for PATH with a `go` that takes a moment to "build" a temporal that only knows its version. */
function fakeGo(seconds: number, ...instead: string[]): { PATH: string; runs: () => number } {
  const folder = temporaryFolder();
  const journal = join(folder, 'runs');
  const build = [`echo run >> ${journal}`, `sleep ${seconds}`, `printf '#!/bin/sh\\n%s\\n' '${VERSION_LINE}' > "$6"`];
  script(join(folder, 'go'), ...(instead.length > 0 ? instead : build), 'chmod +x "$6"');
  const runs = () => readFileSync(journal, 'utf8').trim().split('\n').length;
  return { PATH: `${folder}:/usr/bin:/bin`, runs };
}

/** A site that, as the official one does, redirects to the archive. */
async function site(archive: Buffer | undefined): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (!archive) response.writeHead(503).end();
    else if (request.url !== '/archive') response.writeHead(302, { location: '/archive' }).end();
    else response.writeHead(200, { 'content-length': archive.length }).end(archive);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  atEnd(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

function archiveOf(...lines: string[]): Buffer {
  const folder = temporaryFolder();
  if (lines.length > 0) script(join(folder, 'temporal'), ...lines);
  writeFileSync(join(folder, 'LICENSE'), 'MIT');
  tar.create(
    { gzip: true, sync: true, cwd: folder, file: join(folder, 'a.tgz') },
    readdirSync(folder).filter((name) => name !== 'a.tgz'),
  );
  return readFileSync(join(folder, 'a.tgz'));
}

describe('the program that is named by TEMPORAL_CLI_PATH', () => {
  test('is used', async () => {
    const program = script(join(temporaryFolder(), 'mine'), VERSION_LINE);
    expect(await obtainTemporal(emptyCache({ temporalCliPath: program }), silently, NO_PROGRAMS)).toBe(program);
  });

  test.each([
    ['does not exist', undefined],
    ['is not a Temporal CLI', 'echo "temporality 7"'],
    ['does not run', 'exit 3'],
  ])('is refused, and nothing else is tried, when it %s', async (_, line) => {
    const program = join(temporaryFolder(), 'mine');
    if (line) script(program, line);
    const { url, asked } = await site(archiveOf(VERSION_LINE));
    const config = emptyCache({ temporalCliPath: program, temporalDownloadUrl: url });
    await expect(obtainTemporal(config, silently, NO_PROGRAMS)).rejects.toMatchObject({
      code: 'ENGINE_UNAVAILABLE',
      message: expect.stringMatching(new RegExp(`TEMPORAL_CLI_PATH.*${program}`)),
    });
    expect(asked).toEqual([]);
  });
});

describe('temporal on PATH', () => {
  test('is used before the cache', async () => {
    const folder = temporaryFolder();
    const program = script(join(folder, 'temporal'), VERSION_LINE);
    const config = emptyCache();
    mkdirSync(config.cache, { recursive: true });
    script(cachedTemporal(config), VERSION_LINE);
    expect(await obtainTemporal(config, silently, { PATH: folder })).toBe(program);
    expect(await obtainTemporal(config, silently, NO_PROGRAMS)).toBe(cachedTemporal(config));
  });

  test('is passed over when its server is too old', async () => {
    const folder = temporaryFolder();
    script(join(folder, 'temporal'), 'echo "temporal version 1.0.0 (Server 1.24.2, UI 2.28.0)"');
    const config = emptyCache();
    await expect(obtainTemporal(config, silently, { PATH: folder })).rejects.toThrow('has server 1.24; 1.29 or later');
  });
});

describe('the official download', () => {
  test('follows the redirect, shows its progress and leaves the program in the cache', async () => {
    const { url, asked } = await site(archiveOf(VERSION_LINE));
    const config = emptyCache({ temporalDownloadUrl: url });
    const shown: Progress[] = [];
    const program = await obtainTemporal(config, (progress) => shown.push(progress), NO_PROGRAMS);
    expect(program).toBe(cachedTemporal(config));
    expect(readdirSync(config.cache)).toEqual([program.slice(config.cache.length + 1)]);
    expect(asked[0]).toMatch(/^\/cli\/archive\/v1\.5\.1\?platform=(linux|darwin)&arch=(amd64|arm64)$/);
    expect(shown[0]).toMatchObject({ phase: 'downloading', detail: 'downloading Temporal 0 of 0 MB' });
    await obtainTemporal(config, silently, NO_PROGRAMS);
    expect(asked).toHaveLength(2);
  });

  test.each([
    ['is cut short', () => archiveOf(VERSION_LINE).subarray(0, 60), /official download: http.*: /],
    ['has no temporal in it', () => archiveOf(), /official download: .*is not an executable file/],
    ['has a temporal that does not run', () => archiveOf('exit 3'), /official download: .*failed/],
    ['is refused', () => undefined, /official download: .*answered 503/],
  ])('that %s is not trusted, and the build comes next', async (_, archive, reason) => {
    const { url } = await site(archive());
    const config = emptyCache({ temporalDownloadUrl: url });
    await expect(obtainTemporal(config, silently, NO_PROGRAMS)).rejects.toThrow(reason);
    expect(readdirSync(config.cache)).toEqual([]);
    expect(await obtainTemporal(config, silently, { PATH: fakeGo(0).PATH })).toBe(cachedTemporal(config));
  });

  test('from a site that accepts and then says nothing is given up after 10 s', async () => {
    const server = createTcpServer(() => undefined);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    atEnd(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const config = emptyCache({ temporalDownloadUrl: url });
    await expect(obtainTemporal(config, silently, NO_PROGRAMS)).rejects.toThrow('did not answer within 10 s');
  }, 15_000);
});

describe('the build from source', () => {
  const obtain = (config: { cache: string }, PATH: string) =>
    runProgram(join(fixtures, 'obtain.js'), [], {
      PATH,
      HOME: '/nowhere',
      XDG_CACHE_HOME: join(config.cache, '..', 'xdg'),
      HOLDPOINT_TEMPORAL_DOWNLOAD_URL: REFUSED,
    });

  test('is done once when two start at the same time; the other waits and shows it', async () => {
    const go = fakeGo(2);
    const config = emptyCache();
    const [first, second] = [obtain(config, go.PATH), obtain(config, go.PATH)];
    const results = await Promise.all([lastLine(first), lastLine(second)]);
    expect(go.runs()).toBe(1);
    expect(new Set(results.map(({ program }) => program)).size).toBe(1);
    const details = results.map((result) => result.details.join());
    expect(details).toContainEqual(expect.stringContaining('building Temporal from source with Go, 1 s'));
    expect(details).toContainEqual(expect.stringContaining('waiting for another Holdpoint process'));
  }, 20_000);

  test('that is killed leaves nothing that is trusted later', async () => {
    const go = fakeGo(1);
    const config = emptyCache();
    const first = obtain(config, go.PATH);
    await first.next();
    await kill(first.child);
    const { program } = await lastLine(obtain(config, go.PATH));
    expect(go.runs()).toBe(2);
    expect(readdirSync(join(program, '..'))).toEqual([program.split('/').at(-1)]);
  }, 30_000);

  test('that fails says why', async () => {
    const go = fakeGo(0, 'echo "go: downloading x" >&2; echo "go.mod requires go >= 1.25" >&2; exit 1');
    await expect(obtainTemporal(emptyCache(), silently, { PATH: go.PATH })).rejects.toThrow(
      'a build from source: go build ended with code 1: go.mod requires go >= 1.25',
    );
  });
});

test('when nothing works, one message names each thing tried and each way out', async () => {
  const config = emptyCache();
  const failure = await obtainTemporal(config, silently, NO_PROGRAMS).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
  const lines = String((failure as Error).message).split('\n');
  expect(lines).toEqual([
    expect.stringMatching(/no temporal program/),
    '  - TEMPORAL_CLI_PATH: not set',
    '  - temporal on PATH: not found',
    `  - the cache: there is no ${cachedTemporal(config)} yet`,
    expect.stringMatching(/^ {2}- the official download: http:.*platform=.*: connect ECONNREFUSED/),
    '  - a build from source: go is not on PATH',
    'Any one of these helps:',
    expect.stringContaining('install the Temporal CLI'),
    expect.stringContaining('set TEMPORAL_CLI_PATH'),
    expect.stringContaining('set TEMPORAL_ADDRESS'),
    expect.stringContaining('install Go 1.25 or later'),
  ]);
  expect(existsSync(cachedTemporal(config))).toBe(false);
});

interface Obtained {
  program: string;
  details: string[];
}

/** What the fixture says at last; first it may say that it builds. */
async function lastLine(fixture: ReturnType<typeof runProgram>): Promise<Obtained> {
  const line = (await fixture.next()) as Obtained | { building: true };
  return 'building' in line ? lastLine(fixture) : line;
}
