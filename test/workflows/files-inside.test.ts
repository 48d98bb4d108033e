import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunPreview } from '../../src/service/next-run.ts';
import { recordPlace } from '../../src/service/place.ts';
import { caller, startWorld, tempDir, until, witness } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});

type Witness = ReturnType<typeof witness>;

/** What makes files inside, what reads them, and what fails until a file is there. */
const PLANS = {
  'a sub-plan': (w: Witness, inner: string) => `
  all: { plan: { outputs: { n: "\${{ tasks.count.outputs.stdout }}" }, tasks: {
    a: { run: "${w.mark('a')}; echo a > a.txt", outputs: [a.txt] },
    b: { run: "${w.mark('b')}; echo b > b.txt", outputs: [b.txt] },
    count: { needs: [a, b], run: "${w.mark('count')}; cat a.txt b.txt | wc -l" }${inner} } } }
  read: { needs: [all], run: "${w.mark('read')}; echo \${{ tasks.all.outputs.n }}" }`,
  'a map': (w: Witness, inner: string) => `
  all: { map: { in: [a, b, c], as: name, fail_fast: false, task: {
    run: "echo x >> ${w.dir}/\${{ name }}; echo \${{ name }} > \${{ name }}.txt${inner && `; test \${{ name }} != c || test -f ${w.path('inner')}`}", outputs: ["\${{ name }}.txt"] } } }
  read: { needs: [all], run: "${w.mark('read')}; echo \${{ tasks.all.outputs.succeeded }}" }`,
  'a map of sub-plans': (w: Witness, inner: string) => `
  all: { map: { in: [a, b, c], as: name, fail_fast: false, task: { plan: { inputs: { name: "\${{ name }}" }, tasks: {
    one: { run: "echo x >> ${w.dir}/\${{ inputs.name }}; echo 1 > \${{ inputs.name }}.txt", outputs: ["\${{ inputs.name }}.txt"] }${
      inner &&
      `,
    two: { needs: [one], run: "test \${{ inputs.name }} != c || test -f ${w.path('inner')}" }`
    } } } } } }
  read: { needs: [all], run: "${w.mark('read')}; echo \${{ tasks.all.outputs.succeeded }}" }`,
  'a sub-plan with a map': (w: Witness, inner: string) => `
  all: { plan: { outputs: { n: "\${{ tasks.each.outputs.succeeded }}" }, tasks: {
    each: { map: { in: [a, b], as: name, task: {
      run: "echo x >> ${w.dir}/\${{ name }}; echo 1 > \${{ name }}.txt", outputs: ["\${{ name }}.txt"] } } }${inner} } } }
  read: { needs: [all], run: "${w.mark('read')}; echo \${{ tasks.all.outputs.n }}" }`,
};

/** Runs until the last task, or one inside, has failed. */
async function failed(what: keyof typeof PLANS, where: 'after' | 'inside') {
  const w = witness();
  const directory = tempDir('inside');
  const gate = `, gate: { needs: [${what === 'a sub-plan with a map' ? 'each' : 'count'}], run: "test -f ${w.path('inner')}" }`;
  const inner = where === 'inside' ? gate : '';
  const last = `last: { needs: [read], run: "test -f ${w.path('ok')}" }`;
  const plan = `plan: 1\nname: inside\ntasks:${PLANS[what](w, inner)}\n  ${last}\n`;
  const id = await world.create(plan, { place: { ...recordPlace(process.env), directory } });
  await world.reaches(id, 'failed');
  for (const name of ['ok', 'inner']) writeFileSync(w.path(name), '');
  return { w, id, directory, before: w.n('read') };
}
const resume = (id: string, dry_run = false) => world.service.nextRun(caller, id, { mode: 'resume', dry_run });

const EXPECTED = {
  'a sub-plan': 'a: a.txt',
  'a map': '[0]: a.txt',
  'a map of sub-plans': '[0]: one: a.txt',
  'a sub-plan with a map': 'each/[0]: a.txt',
} as const satisfies Record<keyof typeof PLANS, string>;
const KINDS = Object.entries(EXPECTED) as [keyof typeof PLANS, string][];

test.each(KINDS)('a file made inside %s that succeeded is gone: only who made it runs again', async (what, named) => {
  const { w, id, directory } = await failed(what, 'after');
  rmSync(join(directory, 'a.txt'));
  const reason = `files it made are gone or changed: ${named}`;
  expect(((await resume(id, true)) as RunPreview).reasons.all).toBe(reason);
  await resume(id);
  const view = await world.reaches(id, 'completed');
  expect(['a', 'b', 'read'].map(w.n)).toEqual([2, 1, 1]);
  expect(view.tasks[0]).toMatchObject({ id: 'all', status: 'succeeded', reason: `it runs again: ${reason}` });
  expect(view.tasks.find((task) => task.id === 'read')).toMatchObject({ reused: true });
  expect(readdirSync(directory)).toContain('a.txt');
});

test.each(KINDS)('a file made inside %s that had not ended is gone: only who made it runs again', async (what) => {
  const { w, id, directory, before } = await failed(what, 'inside');
  writeFileSync(join(directory, 'b.txt'), 'other\n');
  await resume(id);
  await world.reaches(id, 'completed');
  expect(['a', 'b'].map(w.n)).toEqual([1, 2]);
  expect(w.n('read')).toBe(before + 1);
});

test.each(KINDS)(
  'while the files made inside %s are what they were, it is reused; and is looked at again later',
  async (what) => {
    const { w, id, directory } = await failed(what, 'after');
    rmSync(w.path('ok'));
    await resume(id);
    const view = await world.reaches(id, 'failed');
    expect(view.tasks[0]).toMatchObject({ id: 'all', reused: true });
    writeFileSync(w.path('ok'), '');
    rmSync(join(directory, 'b.txt'));
    await resume(id);
    await world.reaches(id, 'completed');
    expect(['a', 'b', 'read'].map(w.n)).toEqual([1, 2, 1]);
  },
);

test('an item that had not succeeded begins anew when a file made inside it is gone', async () => {
  const { w, id, directory } = await failed('a map of sub-plans', 'inside');
  rmSync(join(directory, 'c.txt'));
  await resume(id);
  await world.reaches(id, 'completed');
  expect(['a', 'b', 'c'].map(w.n)).toEqual([1, 1, 2]);
});

test('a sub-plan in which files were declared, ended from outside, is looked at, too', async () => {
  const w = witness();
  const directory = tempDir('inside');
  const id = await world.create(
    `plan: 1\nname: outside\ntasks:${PLANS['a sub-plan'](w, `, gate: { needs: [count], run: "${w.mark('gate')}; test -f ${w.path('inner')} || sleep 60" }`)}\n`,
    { place: { ...recordPlace(process.env), directory } },
  );
  await until('the gate is reached', () => w.n('gate') === 1);
  await world.handle(id).terminate('by a test');
  rmSync(join(directory, 'a.txt'));
  writeFileSync(w.path('inner'), '');
  await until('it shows as ended', async () => (await world.read(id)).state.status === 'stopped');
  await resume(id);
  await world.reaches(id, 'completed', 40_000);
  expect(['a', 'b'].map(w.n)).toEqual([2, 1]);
}, 90_000);
