import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { caller, startWorld, until, witness } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});

test('a map does its task for every item, and leaves what each of them left', async () => {
  const id = await world.create(`
plan: 1
name: m
inputs: { who: { type: array, default: [ann, bob, "c d"] } }
tasks:
  each: { map: { in: "inputs.who", as: name, task: { run: "echo \${{ index }} \${{ name }}" } } }
  sum: { needs: [each], run: "echo \${{ tasks.each.outputs.results.map(r, r.outputs.stdout) }} \${{ tasks.each.outputs.succeeded }}" }
`);
  await world.reaches(id, 'completed');
  expect((await world.task(id, 'sum')).outputs).toMatchObject({ stdout: '["0 ann","1 bob","2 c d"] 3' });
});

test('a map over what a task left, with large items and large results, goes by reference', async () => {
  const id = await world.create(`
plan: 1
name: m
tasks:
  list: { run: "for i in $(seq 1 900); do echo $i; done" }
  items: { needs: [list], set: { all: "\${{ tasks.list.outputs.stdout.split('\\\\n') }}" } }
  each: { needs: [items], map: { in: "tasks.items.outputs.all", max_parallel: 100, task: { set: { n: "\${{ int(item) * 2 }}" } } } }
  sum: { needs: [each], set: { last: "\${{ tasks.each.outputs.results[899].outputs.n }}", total: "\${{ tasks.each.outputs.total }}" } }
`);
  await world.reaches(id, 'completed', 30_000);
  expect((await world.task(id, 'sum')).outputs).toEqual({ last: 1_800, total: 900 });
});

test('an empty list is done at once; what is no list fails the map and says so', async () => {
  const empty = await world.create('plan: 1\nname: m\ntasks:\n  each: { map: { in: [], task: { run: "echo" } } }\n');
  await world.reaches(empty, 'completed');
  const none = await world.create('plan: 1\nname: m\ntasks:\n  each: { map: { in: "5", task: { run: "echo" } } }\n');
  const { error } = await world.reaches(none, 'failed');
  expect(error).toMatchObject({ task: 'each', code: 'TASK_INVALID', message: '`in` is 5, not a list' });
});

const failing = (w: ReturnType<typeof witness>, more = '') => `
plan: 1
name: m
tasks:
  each: { map: { in: [1, 2, 3, 4, 5], max_parallel: 1${more}, task: { run: "echo x >> ${w.dir}/\${{ item }}; test \${{ item }} != 3 || test -f ${w.path('ok')}" } } }
  skip: { if: "false", run: "true" }
  end: { needs: [each], run: "${w.mark('end')}" }
`;

test('a map fails with its first failed item and starts no more; a next run does only what is missing (case 31)', async () => {
  const w = witness();
  const id = await world.create(failing(w));
  const view = await world.reaches(id, 'failed');
  expect(view.error?.message).toBe('1 of 5 items failed; the first: each[2]: exit code 1');
  expect([1, 2, 3, 4, 5].map((n) => w.n(String(n)))).toEqual([1, 1, 1, 0, 0]);
  expect(view.tasks[0]!.items).toEqual({ total: 5, succeeded: 2, failed: 1, skipped: 0 });
  expect(view.progress).toMatchObject({ done: 1, total: 3 });

  writeFileSync(w.path('ok'), '');
  await world.service.nextRun(caller, id, { mode: 'resume' });
  const again = await world.reaches(id, 'completed');
  expect([1, 2, 3, 4, 5].map((n) => w.n(String(n)))).toEqual([1, 1, 2, 1, 1]);
  expect(again.progress).toEqual({ done: 3, total: 3, percentage: 100 });
});

test('a map that does not fail fast does every item, and then fails', async () => {
  const w = witness();
  const id = await world.create(failing(w, ', fail_fast: false'));
  await world.reaches(id, 'failed');
  expect([1, 2, 3, 4, 5].map((n) => w.n(String(n)))).toEqual([1, 1, 1, 1, 1]);
});

test('each item has attempts of its own', async () => {
  const w = witness();
  const id = await world.create(`
plan: 1
name: m
tasks:
  each: { map: { in: [a, b], task: { run: "echo x >> ${w.dir}/\${{ item }}; test $(wc -l < ${w.dir}/\${{ item }}) -ge 2", retry: { max_attempts: 3, delay: 50ms } } } }
`);
  await world.reaches(id, 'completed');
  expect([w.n('a'), w.n('b')]).toEqual([2, 2]);
});

test('every item of a map may have a gate: each is answered by its own name (case 16)', async () => {
  const w = witness();
  const id = await world.create(`
plan: 1
name: m
tasks:
  gates: { map: { in: [x, y, z], fail_fast: false, task: { approve: "ship \${{ item }}?", on_failure: continue } } }
  end: { needs: [gates], run: "${w.mark('end')}" }
`);
  const view = await until('three gates are open', async () => {
    const view = await world.reaches(id, 'awaiting_input');
    return view.questions.length === 3 && view;
  });
  expect(view.questions.map(({ id, prompt }) => [id, prompt])).toEqual([
    ['gates[0].1', 'ship x?'],
    ['gates[1].1', 'ship y?'],
    ['gates[2].1', 'ship z?'],
  ]);
  await expect(world.command(id, 'approve')).rejects.toMatchObject({
    code: 'REQUEST_INVALID',
    message: expect.stringContaining('gates[0].1, gates[1].1, gates[2].1'),
  });
  const answer = (question: string, choice: string) => world.command(id, 'answer', { question, choice });
  expect((await answer('gates[1].1', 'approve')).record).toMatchObject({ choice: 'approve' });
  await expect(answer('gates[1].1', 'reject')).rejects.toMatchObject({ code: 'QUESTION_CLOSED' });
  await answer('gates[0].1', 'reject');
  expect(w.n('end')).toBe(0);
  await answer('gates[2].1', 'approve');
  await world.reaches(id, 'completed');
  expect((await world.task(id, 'gates')).outputs).toMatchObject({ total: 3, succeeded: 2, failed: 1 });
});

test('a pause holds the items of a map, and stop ends them', async () => {
  const w = witness();
  const plan = `
plan: 1
name: m
tasks:
  each: { map: { in: [1, 2, 3, 4, 5, 6], max_parallel: 2, task: { run: "echo x >> ${w.path('n')}; sleep 0.6" } } }
`;
  const id = await world.create(plan);
  await until('two run', () => w.n('n') === 2);
  expect((await world.command(id, 'pause')).result).toBe('accepted');
  await world.reaches(id, 'paused');
  const held = w.n('n');
  await delay(800);
  expect(w.n('n')).toBe(held);
  await world.command(id, 'resume');
  await until('more run', () => w.n('n') > held);
  expect((await world.command(id, 'stop')).result).toBe('done');
  await world.reaches(id, 'stopped');
  const stopped = w.n('n');
  await delay(800);
  expect(w.n('n')).toBe(stopped);
  expect(stopped).toBeLessThan(6);
});
