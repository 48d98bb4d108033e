import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  forgetReleased,
  isHeld,
  isLost,
  readLease,
  readLeases,
  releaseLease,
  settleLost,
  takeLease,
} from '../../src/home/leases.ts';
import { identify } from '../../src/home/process-identity.ts';
import { temporaryFolder } from '../temporal/home.ts';

const ID = '3f2b9c1e-0000-4000-8000-000000000001';
const OF = { plan_id: ID, session_id: '2026-01-31-0900-x-k3f9x', org_id: 'local', directory: '/x' };

let home: string;
beforeEach(() => {
  home = temporaryFolder();
  mkdirSync(join(home, 'sessions'));
});
const write = (text: string) => writeFileSync(join(home, 'sessions', `${ID}.json`), text);
/** As another process would have left it. */
const leftBy = (who: { pid: number; started: string }, more: object = {}) =>
  write(JSON.stringify({ ...OF, ...who, since: '2026-01-31T09:00:00.000Z', host: 'there', ...more }));
const DEAD = { pid: process.pid, started: 'long ago' };

test('a session belongs to the process that took it, until that lets go', async () => {
  expect(await takeLease(home, OF)).toBeUndefined();
  expect(readLease(home, ID)).toMatchObject({ ...OF, pid: process.pid });
  expect(isHeld(readLease(home, ID)!)).toBe(true);
  await releaseLease(home, ID);
  const released = readLease(home, ID)!;
  expect([isHeld(released), isLost(released)]).toEqual([false, false]);
});

test('nobody else takes it while that process lives, and is told which it is', async () => {
  leftBy(identify(process.ppid)!);
  await expect(takeLease(home, OF)).rejects.toMatchObject({
    code: 'SESSION_RUNNING',
    message: `session ${OF.session_id} is running elsewhere: process ${process.ppid} on there, since 2026-01-31T09:00:00.000Z, in /x`,
  });
});

test('what a dead one left is lost, and whoever takes it is given that', async () => {
  leftBy(DEAD);
  expect(isLost(readLease(home, ID)!)).toBe(true);
  expect(await takeLease(home, OF)).toMatchObject({ started: 'long ago' });
  expect(isHeld(readLease(home, ID)!)).toBe(true);
});

test('what was seen to is lost no more, unless somebody took it meanwhile', async () => {
  leftBy(DEAD);
  const lost = readLease(home, ID)!;
  await settleLost(home, lost);
  expect(readLease(home, ID)!.released).toBeDefined();
  await takeLease(home, OF);
  await settleLost(home, lost);
  expect(isHeld(readLease(home, ID)!)).toBe(true);
});

describe('a file that is corrupt', () => {
  test.each([
    ['empty', ''],
    ['cut in the middle', '{"pid": 12, "star'],
    ['no object', '[]'],
    ['lacking fields', '{"pid": 12}'],
    ['of wrong types', JSON.stringify({ ...OF, pid: '12', started: 1, since: 0, host: '' })],
  ])('%s: counts as none, and is taken and written anew', async (_, text) => {
    write(text);
    expect([readLeases(home), readLease(home, ID)]).toEqual([[], undefined]);
    expect(await takeLease(home, OF)).toBeUndefined();
    expect(readLeases(home)).toHaveLength(1);
  });
});

test('what was let go of is forgotten after a while, and what is held or lost is not', async () => {
  await takeLease(home, OF);
  await releaseLease(home, ID);
  forgetReleased(home, readLeases(home), 60_000);
  expect(readLeases(home)).toHaveLength(1);
  forgetReleased(home, readLeases(home), -1);
  expect(readdirSync(join(home, 'sessions'))).toEqual([]);
  leftBy(DEAD);
  forgetReleased(home, readLeases(home), -1);
  expect(readLeases(home)).toHaveLength(1);
});
