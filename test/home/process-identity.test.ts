import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { endProcess, identify, isAlive } from '../../src/home/process-identity.ts';
import { atEnd, kill } from '../temporal/home.ts';

test('a process that runs is alive', () => {
  expect(isAlive(identify())).toBe(true);
});

test('a process that has ended is not, nor is there an identity of it', async () => {
  const child = spawn('sleep', ['0.2']);
  const identity = identify(child.pid!)!;
  await once(child, 'exit');
  expect(isAlive(identity)).toBe(false);
  expect(identify(identity.pid)).toBeUndefined();
});

test('another process with the same pid is not the same process', () => {
  expect(isAlive({ ...identify(), started: 'earlier' })).toBe(false);
});

test('a zombie, ended but not yet reaped, is not alive', async () => {
  // The shell starts a child and becomes a program that never reaps it.
  const parent = spawn('sh', ['-c', 'sh -c "echo \\$\\$; exec sleep 0.2" & exec sleep 30'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  atEnd(() => kill(parent));
  const [chunk] = await once(parent.stdout, 'data');
  const identity = identify(Number(String(chunk)))!;
  expect(isAlive(identity)).toBe(true);
  await expect.poll(() => isAlive(identity)).toBe(false);
  expect(() => process.kill(identity.pid, 0)).not.toThrow();
});

test.each([
  ['ends on TERM', 'echo; exec sleep 30'],
  ['ignores TERM', 'trap "" TERM; echo; while :; do sleep 0.05; done'],
])('endProcess ends a process that %s, and its group', async (_, command) => {
  const child = spawn('sh', ['-c', command], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  atEnd(() => kill(child));
  await once(child.stdout, 'data');
  const identity = identify(child.pid!)!;
  await endProcess(identity, 300);
  expect(isAlive(identity)).toBe(false);
});

test('endProcess leaves a process alone that only has the same pid', async () => {
  const child = spawn('sleep', ['30']);
  atEnd(() => kill(child));
  await endProcess({ pid: child.pid!, started: 'earlier' }, 100);
  await sleep(100);
  expect(child.signalCode).toBeNull();
});
