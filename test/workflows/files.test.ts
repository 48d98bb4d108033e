import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordPlace } from '../../src/service/place.ts';
import { caller, startWorld, tempDir, until, witness } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});

/** A task that appends to its file, what reads it, and what fails until a file is there. */
const plan = (w: ReturnType<typeof witness>, seconds = 0) => `
plan: 1
name: files
tasks:
  gen: { run: "${w.mark('gen')}; for i in 1 2 3 4 5 6; do echo $i >> out.txt; sleep ${seconds}; done", outputs: [out.txt] }
  sum: { needs: [gen], run: "wc -l < out.txt" }
  last: { needs: [sum], run: "test -f ${w.path('ok')}" }
`;
const place = (directory: string) => ({ ...recordPlace(process.env), directory });

test('what an attempt cut off left behind does not count: the file is made anew (case 32)', async () => {
  const w = witness();
  const directory = tempDir('files');
  writeFileSync(w.path('ok'), '');
  const id = await world.create(plan(w, 0.3), { place: place(directory) });
  await until('it writes', () => w.n('gen') === 1);
  await world.stopWorker();
  await world.startWorker();
  await world.reaches(id, 'completed', 20_000);
  expect(w.n('gen')).toBe(2);
  expect((await world.task(id, 'sum')).outputs).toMatchObject({ stdout: '6' });
});

test.each([
  ['gone', (path: string) => rmSync(path)],
  ['changed', (path: string) => writeFileSync(path, 'other\n')],
])('a next run makes a declared file again that is %s, and says so (case 32)', async (_, spoil) => {
  const w = witness();
  const directory = tempDir('files');
  const id = await world.create(plan(w), { place: place(directory) });
  await world.reaches(id, 'failed');
  spoil(join(directory, 'out.txt'));
  writeFileSync(w.path('ok'), '');
  await world.service.nextRun(caller, id, { mode: 'resume' });
  const view = await world.reaches(id, 'completed');
  expect(w.n('gen')).toBe(2);
  expect(view.tasks[0]).toMatchObject({ reason: 'it runs again: files it made are gone or changed: out.txt' });
  expect(view.tasks[1]).toMatchObject({ reused: true, outputs: { stdout: '6' } });
});

test('while they are what they were, their task is reused', async () => {
  const w = witness();
  const id = await world.create(plan(w), { place: place(tempDir('files')) });
  await world.reaches(id, 'failed');
  writeFileSync(w.path('ok'), '');
  await world.service.nextRun(caller, id, { mode: 'resume' });
  const view = await world.reaches(id, 'completed');
  expect(w.n('gen')).toBe(1);
  expect(view.tasks[0]).toMatchObject({ reused: true });
});
