import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newHome } from '../support/engine.ts';
import { until, witness } from '../support/world.ts';

let home: ReturnType<typeof newHome>;
beforeAll(() => {
  home = newHome({ npm_command: '' });
});
afterAll(() => home.end());

const sessionIn = (text: string) => /session: (\S+)/.exec(text)![1]!;
const json = async (...args: string[]) => JSON.parse((await home.cli(...args, '--json')).out);

/** Two steps for each of three inputs; the second waits at the second input until it may go on. */
function iterations() {
  const w = witness();
  const file = w.path('wf.yml');
  const waits = `echo \${{ item }} >> ${w.path('b')}; test \${{ item }} != y || test -f ${w.path('ok')} || sleep 60`;
  writeFileSync(
    file,
    `plan: 1\nname: wf\niterate: { over: [x, y, z] }\nsteps:\n  - { id: a, run: "echo \${{ item }} >> ${w.path('a')}" }\n  - { id: b, run: "${waits}" }\n`,
  );
  return { ...w, file, goOn: () => writeFileSync(w.path('ok'), '') };
}

async function interrupted(w: ReturnType<typeof iterations>) {
  const started = home.start(['run', w.file]);
  await until('y is at b', () => w.n('b') === 2, 60_000);
  started.child.kill('SIGINT');
  const { out, err } = await started.done;
  return { id: sessionIn(out), out, err };
}

test('iterations: told when interrupted and resumed, shown, listed, and none that is done is done again', async () => {
  const w = iterations();
  const { id, out, err } = await interrupted(w);
  expect(out).toMatch(new RegExp(`^Starting session: ${id}$`, 'm'));
  expect(err).toContain('it goes on from step 2 of 2, iteration 2 of 3');
  expect(await json('sessions', 'show', id)).toMatchObject({
    status: 'interrupted',
    step: 2,
    steps: 2,
    iteration: 2,
    iterations: 3,
    next: 'iterate[1]/b',
  });
  const resumed = home.start(['run', w.file, '--resume', id]);
  await until('it is back', () => w.n('b') === 3, 30_000);
  resumed.child.kill('SIGINT');
  const again = await resumed.done;
  expect(again.out).toContain(`Resuming session: ${id}\nResuming from step 2 of 2, iteration 2 of 3\n`);
  // By the id of its plan, a UUID, too.
  const { plan_id } = await json('sessions', 'show', id);
  w.goOn();
  expect((await home.cli('run', '--resume', plan_id)).code).toBe(0);
  expect([w.n('a'), w.n('b')]).toEqual([3, 5]);
});

test('what sessions ls --json tells of each', async () => {
  const w = iterations();
  const { id } = await interrupted(w);
  const row = (await json('sessions', 'ls')).find(({ session_id }: { session_id: string }) => session_id === id);
  expect(row).toEqual({
    session_id: id,
    plan_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    status: 'interrupted',
    resumable: true,
    step: 2,
    steps: 2,
    iteration: 2,
    iterations: 3,
    file: w.file,
    directory: process.cwd(),
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
  });
});

test('lease files that are corrupt harm no session: they are listed, shown and resumed', async () => {
  const w = iterations();
  const { id } = await interrupted(w);
  const folder = join(home.home, 'sessions');
  const { plan_id } = await json('sessions', 'show', id);
  for (const name of new Set([...readdirSync(folder), `${plan_id}.json`]))
    if (name.endsWith('.json')) writeFileSync(join(folder, name), '{"pid": 12, "sta');
  expect((await json('sessions', 'ls')).map(({ session_id }: { session_id: string }) => session_id)).toContain(id);
  expect(await json('sessions', 'show', id)).toMatchObject({ status: 'interrupted', resumable: true });
  w.goOn();
  expect((await home.cli('run', '--resume', id)).code).toBe(0);
  expect(w.n('b')).toBe(4);
});

describe('map-reduce', () => {
  test('a file of it is refused by name, and no session is made', async () => {
    const w = witness();
    const file = w.path('mr.yml');
    writeFileSync(
      file,
      'name: mr\nmode: mapreduce\nmap:\n  input: items.json\n  agent_template:\n    - shell: "true"\n',
    );
    const before = (await json('sessions', 'ls', '--all')).length;
    const { code, err } = await home.cli('run', file);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/mr\.yml:2:\d+: map-reduce files are not supported: write a plan file/),
    ]);
    expect(await json('sessions', 'ls', '--all')).toHaveLength(before);
  });

  test.each(['session-mapreduce-1757231340', 'mapreduce-1757231340'])(
    '%s is no session of this program',
    async (id) => {
      const { code, err } = await home.cli('run', '--resume', id);
      expect([code, err]).toEqual([
        3,
        `holdpoint: there is no session ${id}; list them: holdpoint sessions ls --all\n`,
      ]);
    },
  );
});
