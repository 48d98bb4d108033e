import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Fault } from '../../src/faults.ts';
import { caller, startWorld, tempDir, until, witness } from '../support/world.ts';
import { fakeCli, ID } from './fake-cli.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});
const cliOf = () => fakeCli({ service: world.service });
/** What was printed, however many lines at a time. */
const linesOf = (out: string[]) => out.flatMap((text) => text.split('\n'));
const plan = (tasks: string) => `plan: 1\nname: p\ntasks:\n${tasks}`;

test('a task’s newest log is shown; earlier ones by attempt and run', async () => {
  const w = witness();
  const id = await world.create(
    plan(
      `  a: { run: "echo $HOLDPOINT_RUN.$HOLDPOINT_ATTEMPT; test -f ${w.path('ok')}", retry: { max_attempts: 2, delay: 10ms } }\n`,
    ),
  );
  await world.reaches(id, 'failed');
  writeFileSync(w.path('ok'), '');
  await world.service.nextRun(caller, id, { mode: 'resume' });
  await world.reaches(id, 'completed');
  const shows = async (...args: string[]) => {
    const { run, out, err } = cliOf();
    const code = await run('logs', id, ...args);
    return { code, out: linesOf(out), err };
  };
  expect(await shows('a')).toEqual({
    code: 0,
    out: ['2.1'],
    err: ['this was attempt 1 of run 2; there are 3 logs: see --run and --attempt'],
  });
  expect((await shows('a', '--run', '1')).out).toEqual(['1.2']);
  expect((await shows('a', '--run', '1', '--attempt', '1')).out).toEqual(['1.1']);
  expect((await shows('--run', '1')).out).toEqual(['a | 1.1', 'a (attempt 2) | 1.2']);
  expect(await shows('a', '--run', '7')).toMatchObject({ code: 3, out: [] });
});

test('all tasks are shown in the order in which they began, those of earlier runs as well', async () => {
  const w = witness();
  const id = await world.create(
    plan(`  first: { run: "seq 1 3" }
  each: { needs: first, map: { in: [1], task: { run: "echo item" } } }
  last: { needs: each, run: "printf 'no break'; test -f ${w.path('ok')}" }
`),
  );
  await world.reaches(id, 'failed');
  writeFileSync(w.path('ok'), '');
  await world.service.nextRun(caller, id, { mode: 'resume' });
  await world.reaches(id, 'completed');
  const { run, out } = cliOf();
  expect(await run('logs', id, '--tail', '2')).toBe(0);
  expect(linesOf(out)).toEqual(['first | 2', 'first | 3', 'each[0] | item', 'last | no break']);
  const json = cliOf();
  await json.run('logs', id, 'first', '--json');
  expect(json.out.map((line) => JSON.parse(line))).toEqual([
    { run: 1, task: 'first', attempt: 1, dispatch: 1, offset: 0, next: 6, text: '1\n2\n3\n' },
  ]);
});

test('a task that wrote nothing says so; an unknown one is told what was meant', async () => {
  const id = await world.create(plan('  values: { set: { a: 1 } }\n  quiet: { run: "true" }\n'));
  await world.reaches(id, 'completed');
  for (const more of [[], ['-f']]) {
    const none = cliOf();
    expect([await none.run('logs', id, 'values', ...more), none.out, none.err]).toEqual([
      0,
      [],
      ['task values has no output'],
    ]);
    const unknown = cliOf();
    expect(await unknown.run('logs', id, 'valeus', ...more)).toBe(3);
    expect(unknown.err.join()).toContain('there is no task "valeus" in this plan; did you mean values?');
  }
});

test('-f shows what comes as it comes, of all tasks, until the run ends', async () => {
  const w = witness();
  const wait = (name: string) => `until test -f ${w.path(name)}; do sleep 0.02; done`;
  const id = await world.create(
    plan(`  a: { run: "echo one; ${wait('go')}; echo two" }\n  b: { needs: a, run: "echo three" }\n`),
  );
  const { run, out } = cliOf();
  const done = run('logs', id, '-f');
  await until('the first line', () => out.length === 1);
  writeFileSync(w.path('go'), '');
  expect(await done).toBe(0);
  expect(out).toEqual(['a | one', 'a | two', 'b | three']);
});

test('-f is left with Ctrl+C, and the plan goes on', async () => {
  const id = await world.create(plan('  a: { run: "echo one; sleep 1h" }\n'));
  const { run, out, ctrlC } = cliOf();
  const done = run('logs', id, 'a', '-f');
  await until('the first line', () => out.length === 1);
  ctrlC();
  expect([await done, out]).toEqual([130, ['one']]);
  expect((await world.read(id)).state.status).toBe('executing');
  await world.service.command(caller, id, 'stop');
});

test('-f goes on without gap or repeat when the engine was lost and is back', async () => {
  const id = await world.create(plan('  a: { run: "seq 1 40000" }\n'));
  await world.reaches(id, 'completed');
  let pieces = 0;
  const losing = {
    ...world.service,
    async *followLogs(...args: Parameters<typeof world.service.followLogs>) {
      for await (const news of world.service.followLogs(...args)) {
        yield news;
        if (++pieces === 1) throw new Fault('ENGINE_UNAVAILABLE', 'gone');
      }
    },
  };
  const { run, out, err, connects } = fakeCli({ service: losing });
  expect(await run('logs', id, 'a', '-f')).toBe(0);
  expect(linesOf(out)).toEqual(Array.from({ length: 40_000 }, (_, i) => `${i + 1}`));
  expect(connects.length).toBe(2);
  expect(err.join()).toContain('connecting again');
});

describe('while no engine runs', () => {
  const down = (home: string) => ({
    status: { home },
    engine: { connect: () => Promise.reject(new Fault('ENGINE_UNAVAILABLE', 'no engine of this home runs')) },
  });

  test('the files of the home are read, those of older builds as well', async () => {
    const home = tempDir('home');
    const logs = join(home, 'runs', ID, 'logs');
    mkdirSync(join(logs, 'run-2'), { recursive: true });
    writeFileSync(join(logs, 'build.x#1.1.log'), 'old\n');
    writeFileSync(join(logs, 'run-2', 'a#1.1.log'), 'new\n');
    writeFileSync(join(logs, 'run-2', 'a#1.1.stdout'), 'no log');
    const { run, out, err } = fakeCli(down(home));
    expect(await run('logs', ID.slice(0, 8))).toBe(0);
    expect(out).toEqual(['build/x | old', 'a | new']);
    expect(err).toEqual(['no engine runs; these are the files of this home']);
    const unknown = fakeCli(down(home));
    expect(await unknown.run('logs', ID, 'build/y')).toBe(3);
    expect(unknown.err.join()).toContain('did you mean build/x?');
  });

  test.each(['../..', '..', ID.replace('3', '4'), '%2e%2e'])('%s is no plan', async (given) => {
    const { run, err } = fakeCli(down(tempDir('home')));
    expect(await run('logs', given)).toBe(3);
    expect(err.join()).toContain('no files of a plan');
  });
});
