import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { Fault } from '../../src/faults.ts';
import { type Limits, startThreads } from '../../src/service/plan-reader/threads.ts';
import { takeTurns } from '../../src/service/plan-reader/turns.ts';
import { planReader } from '../../src/service/plan-reader.ts';
import { tempDir } from '../support/world.ts';

/** Real threads that do what the job's text says. */
function threadsThat(limits: Partial<Limits> = {}) {
  const file = join(tempDir('thread'), 'thread.mjs');
  writeFileSync(
    file,
    `import { parentPort, threadId } from 'node:worker_threads';
     const kept = [];
     const WORK = {
       echo: () => ({ done: threadId }),
       fault: () => ({ fault: { code: 'PLAN_INVALID', message: 'wrong', errors: [{ message: 'wrong', path: ['a'] }] } }),
       forever: () => { for (;;); },
       memory: () => { for (;;) kept.push(Array(100_000).fill(kept.length)); },
       throw: () => { throw new TypeError('a bug'); },
       exit: () => process.exit(0),
     };
     parentPort.on('message', ({ text }) => parentPort.postMessage(WORK[text]()));`,
  );
  const threads = startThreads(pathToFileURL(file), { longestMs: 10_000, waiting: { ofOne: 2, ofAll: 3 }, ...limits });
  return (text: string, org = 'local') =>
    threads(org, { work: 'read', text, inputs: {} }).then(
      (done: unknown) => done,
      (error: unknown) => error as Fault,
    );
}

test('a thread is kept for the next plan file', async () => {
  const run = threadsThat();
  expect(await run('echo')).toBe(await run('echo'));
});

test('a fault comes back as it was thrown, with its places', async () => {
  const fault = await threadsThat()('fault');
  expect(fault).toBeInstanceOf(Fault);
  expect(fault).toMatchObject({ code: 'PLAN_INVALID', message: 'wrong', errors: [{ message: 'wrong', path: ['a'] }] });
});

test.each([
  ['takes too long', 'forever', { code: 'PLAN_TOO_LARGE', message: expect.stringContaining('longer than 0.5 s') }],
  ['takes too much memory', 'memory', { code: 'PLAN_TOO_LARGE', message: expect.stringContaining('512 MB') }],
  ['meets a bug', 'throw', { name: 'TypeError', message: 'a bug' }],
  ['ends', 'exit', { message: 'a thread that reads plan files ended' }],
])('a thread that %s is replaced, and what waited is read', async (_, text, error) => {
  const run = threadsThat({ longestMs: text === 'forever' ? 500 : 60_000 });
  const [first, second] = await Promise.all([run(text), run('echo')]);
  expect(first).toMatchObject(error);
  expect(second).toEqual(expect.any(Number));
});

test('programs are parsed in a thread when that takes long, and in place when they are short, or refused for their size', async () => {
  const file = join(tempDir('thread'), 'thread.mjs');
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads';
     parentPort.on('message', ({ work, text }) => parentPort.postMessage({ done: [work, text.length] }));`,
  );
  const reader = planReader(pathToFileURL(file));
  const long = `Pokemon.limit(1)${' '.repeat(10_000)}`;
  expect(await reader.parse('local', 'Pokemon.limit(1)')).toMatchObject({ kind: 'program' });
  expect(await reader.parse('local', long)).toEqual(['parse', long.length]);
  await expect(reader.parse('local', ' '.repeat(65_537))).rejects.toMatchObject({ code: 'PROGRAM_INVALID' });
});

test('past what may wait, callers are told to come back', async () => {
  const run = threadsThat({ longestMs: 500 });
  const all = await Promise.all(Array.from({ length: 8 }, () => run('forever')));
  const busy = all.filter((answer) => answer instanceof Fault && answer.code === 'ENGINE_UNAVAILABLE');
  expect(busy.length).toBeGreaterThan(3);
  expect(busy[0]).toMatchObject({ retryAfterSeconds: 5 });
});

test('organisations take turns, and the many of one leave room for others', () => {
  const turns = takeTurns<string>({ ofOne: 3, ofAll: 5 });
  const taken = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'd1'].map((name) => turns.add(name[0]!, name));
  expect(taken).toEqual([true, true, true, false, true, true, false]);
  expect([1, 2, 3, 4, 5, 6].map(() => turns.next())).toEqual(['a1', 'b1', 'c1', 'a2', 'a3', undefined]);
});
