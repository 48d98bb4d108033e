import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readRecord, removeRecord, withHomeLock, writeRecord } from '../../src/home/home-lock.ts';
import { compileFixtures } from '../temporal/compiled.ts';
import { kill, runProgram, temporaryFolder } from '../temporal/home.ts';

let fixtures: string;
beforeAll(() => {
  fixtures = compileFixtures();
});

const holder = (path: string, journal: string, ms: number) =>
  runProgram(join(fixtures, 'hold-lock.js'), [path, journal, String(ms)], process.env);

function place() {
  const folder = temporaryFolder();
  return { path: join(folder, 'thing.json'), journal: join(folder, 'journal') };
}

/** Every "in" is followed by the "out" of the same process. */
function overlaps(journal: string): string[] {
  const lines = readFileSync(journal, 'utf8').trim().split('\n');
  return lines.filter((line, index) => index % 2 === 0 && line.replace('in', 'out') !== lines[index + 1]);
}

test('of several processes one at a time holds the lock', async () => {
  const { path, journal } = place();
  const holders = [1, 2, 3].map(() => holder(path, journal, 120));
  for (const each of holders) await each.next();
  for (const each of holders) await each.next();
  expect(readFileSync(journal, 'utf8').trim().split('\n')).toHaveLength(6);
  expect(overlaps(journal)).toEqual([]);
});

test('a lock left by a process long dead is taken over, by one of several at a time', async () => {
  const { path, journal } = place();
  mkdirSync(`${path}.lock`);
  utimesSync(`${path}.lock`, 1, 1);
  const began = performance.now();
  const holders = [1, 2, 3].map(() => holder(path, journal, 120));
  for (const each of holders) await each.next();
  for (const each of holders) await each.next();
  expect(overlaps(journal)).toEqual([]);
  expect(performance.now() - began).toBeLessThan(4000);
});

test('the lock of a killed process is free after a few seconds', async () => {
  const { path, journal } = place();
  const first = holder(path, journal, 60_000);
  await first.next();
  await kill(first.child);
  expect(await withHomeLock(path, async () => 'mine', { waitMs: 10_000 })).toBe('mine');
});

test('a process that froze learns that its lock was taken over, and lives on', async () => {
  const { path, journal } = place();
  const frozen = holder(path, journal, 8000);
  await frozen.next();
  frozen.child.kill('SIGSTOP');
  await withHomeLock(path, async () => undefined, { waitMs: 10_000 });
  frozen.child.kill('SIGCONT');
  expect(await frozen.next()).toEqual({ lost: frozen.child.pid });
  expect(await frozen.next()).toEqual({ done: frozen.child.pid });
});

test('waiting is shown and has a limit, whose fault names the lock', async () => {
  const { path, journal } = place();
  await holder(path, journal, 60_000).next();
  const waits: number[] = [];
  const options = { waitMs: 1200, onWaiting: (ms: number) => waits.push(ms) };
  await expect(withHomeLock(path, async () => undefined, options)).rejects.toMatchObject({
    code: 'ENGINE_UNAVAILABLE',
    message: expect.stringContaining(`${path}.lock`),
  });
  expect(waits.length).toBeGreaterThan(0);
});

test('the lock is free again when the work under it fails', async () => {
  const { path } = place();
  const failing = withHomeLock(path, () => Promise.reject(new Error('no luck')));
  await expect(failing).rejects.toThrow('no luck');
  expect(await withHomeLock(path, async () => 'free', { waitMs: 0 })).toBe('free');
});

describe('a record', () => {
  const schema = z.object({ pid: z.number() });

  test('is read as it was written, and is gone when removed', () => {
    const { path } = place();
    writeRecord(path, { pid: 7 });
    expect(readRecord(path, schema)).toEqual({ pid: 7 });
    removeRecord(path);
    expect(readRecord(path, schema)).toBeUndefined();
  });

  test.each([
    ['half-written', '{"pid": 7'],
    ['empty', ''],
    ['not JSON', '\0\0\0'],
    ['of another shape', '{"pid": "7"}'],
  ])('%s counts as absent', (_, text) => {
    const { path } = place();
    writeFileSync(path, text);
    expect(readRecord(path, schema)).toBeUndefined();
  });
});
