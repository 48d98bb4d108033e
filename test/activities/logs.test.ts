import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { fileLogStore } from '../../src/activities/logs/file-log-store.ts';
import { readText, tailOffset } from '../../src/activities/logs/log-text.ts';
import { tempDir } from '../support/world.ts';
import { place } from './attempts.ts';

const PLAN = '3f2b9c1e-0000-4000-8000-000000000001';

/** A store over files given by their path in the plan's folder. */
function storeOf(files: Record<string, string | Buffer>) {
  const runs = tempDir('runs');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(runs, PLAN, path)), { recursive: true });
    writeFileSync(join(runs, PLAN, path), content);
  }
  return { runs, store: fileLogStore(runs) };
}

async function textOf(store: ReturnType<typeof fileLogStore>, log: Parameters<typeof readText>[2]): Promise<string> {
  let text = '';
  for await (const piece of readText(store, PLAN, log, { from: 0, to: 1e9, complete: true })) text += piece.text;
  return text;
}

test('an attempt of the same name in the same run has a log of its own: a sub-plan that is tried again', async () => {
  const at = place();
  for (const word of ['one', 'two', 'three']) await at.run(`echo ${word}`, {}, { task: 'build/x' });
  const runs = tempDir('runs');
  symlinkSync(at.planFolder, join(runs, PLAN));
  const store = fileLogStore(runs);
  const logs = await store.list(PLAN, { task: 'build/x' });
  expect(logs.map(({ task, again }) => [task, again])).toEqual([
    ['build/x', undefined],
    ['build/x', 2],
    ['build/x', 3],
  ]);
  expect(await Promise.all(logs.map((log) => textOf(store, log)))).toEqual(['one\n', 'two\n', 'three\n']);
});

test('what older builds wrote is read as of the first run, and what is no log is not', async () => {
  const { store } = storeOf({
    'logs/a#1.1.log': 'old',
    'logs/run-2/a#1.1.log': 'new',
    'logs/run-2/a#1.1.stdout': 'x',
    'logs/run-2/a.log': 'x',
    'logs/run-x/a#1.1.log': 'x',
    'logs/run-2/b#1.1.log/inside': 'x',
  });
  const logs = await store.list(PLAN);
  expect(logs.map(({ run, task }) => [run, task])).toEqual([
    [1, 'a'],
    [2, 'a'],
  ]);
  expect(await Promise.all(logs.map((log) => textOf(store, log)))).toEqual(['old', 'new']);
  expect(await store.list(PLAN, { run: 3 })).toEqual([]);
});

test('a link is no log, and is not read through', async () => {
  const { store, runs } = storeOf({ 'logs/run-1/a#1.1.log': 'x' });
  writeFileSync(join(runs, 'secret'), 'secret');
  symlinkSync(join(runs, 'secret'), join(runs, PLAN, 'logs/run-1/b#1.1.log'));
  expect((await store.list(PLAN)).map(({ task }) => task)).toEqual(['a']);
  const link = { run: 1, task: 'b', attempt: 1, dispatch: 1 };
  await expect(textOf(store, link)).rejects.toThrow(/ELOOP/);
});

test.each(['..', '../x', '', 'a/b', '3f2b9c1e'])('"%s" is no plan', async (planId) => {
  await expect(storeOf({}).store.list(planId)).rejects.toThrow('a plan id is a UUID');
});

test('no piece of text ends inside a character, whatever the characters', async () => {
  const text = 'aé€😀'.repeat(40_000);
  const { store } = storeOf({ 'logs/run-1/a#1.1.log': text });
  const pieces: string[] = [];
  let next = 0;
  const log = { run: 1, task: 'a', attempt: 1, dispatch: 1 };
  for await (const piece of readText(store, PLAN, log, { from: 0, to: 1e9, complete: false })) {
    expect(piece.offset).toBe(next);
    next = piece.next;
    pieces.push(piece.text);
  }
  expect(pieces.length).toBeGreaterThan(3);
  expect(pieces.join('') === text).toBe(true);
  expect(pieces.some((piece) => piece.includes('\ufffd'))).toBe(false);
});

test.each([
  ['a\nb\nc\n', 1, 'c\n'],
  ['a\nb\nc', 2, 'b\nc'],
  ['a\nb\nc', 9, 'a\nb\nc'],
  ['\n\n\n', 2, '\n\n'],
  ['', 3, ''],
  ['a\n', 0, ''],
  [`${'x'.repeat(70_000)}\n${'y'.repeat(70_000)}\n`, 1, `${'y'.repeat(70_000)}\n`],
])('the last lines of a log', async (content, lines, expected) => {
  const { store } = storeOf({ 'logs/run-1/a#1.1.log': content });
  const [log] = await store.list(PLAN);
  expect(content.slice(await tailOffset(store, PLAN, log!, log!.bytes, lines)) === expected).toBe(true);
});
