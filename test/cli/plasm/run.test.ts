import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Terminal } from '../../../src/cli/terminal.ts';
import { BIG, pokedex } from '../../mcp/plasm-source.ts';
import { caller, startWorld, tempDir, until } from '../../support/world.ts';
import { fakeCli } from '../fake-cli.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
let source: Awaited<ReturnType<typeof pokedex>>;
let hash: string;
const directory = tempDir('plasm');
beforeAll(async () => {
  [world, source] = await Promise.all([startWorld(), pokedex()]);
  hash = (await world.service.execute.registerCatalog(caller, source.catalog)).prompt_hash;
  writeFileSync(join(directory, 'pokedex.yaml'), source.catalog);
});
afterAll(async () => {
  source.stop();
  await world.stop();
});
beforeEach(() => source.slow(0));

let n = 0;
const newSession = () => `c${process.pid}-${n++}`;

/** One `plasm run` in a session. */
function commands(session: string, more: Parameters<typeof fakeCli>[0] = {}) {
  const start = (...args: string[]) => {
    const cli = fakeCli({ service: world.service, directory, ...more });
    const ended = cli.run('plasm', 'run', '--catalog', hash, '--session', session, ...args);
    return { ...cli, ended };
  };
  return {
    start,
    async run(...args: string[]) {
      const { ended, out, err } = start(...args);
      const code = await ended;
      return { code, out: out.join('\n'), err: err.join('\n') };
    },
  };
}

test("the document's own commands, word for word", async () => {
  source.slow(40);
  const { run } = commands(newSession());
  const dry = await run('--mode', 'plan', '-e', BIG);
  expect(dry).toMatchObject({ code: 0, out: expect.stringContaining('plan review') });
  expect(dry.out).toContain('plan_commit_ref` pc0');
  const accepted = await run('--wait=false', '--force', '-e', BIG);
  expect(accepted.out).toMatch(/`s0_o1` \+ review/);
  expect(accepted.out).toContain('wait(s0_o1) · verdict review');
  expect(accepted.code).toBe(0);
  const now = await run('-e', 'wait(s0_o1)');
  expect(now.out).toMatch(/^```text\n`s0_o1` [~=!] .*\n```/);
  const cancelled = await run('-e', 'cancel(s0_o1)');
  expect(cancelled).toMatchObject({ code: 0 });
  const ended = await until('it has ended', async () => {
    const told = await run('-e', 'wait(s0_o1)');
    return /` [x!]/.test(told.out) && told;
  });
  expect(ended.code).toBe(/` x/.test(ended.out) ? 8 : 0);
});

test('what has to be reviewed is refused with 5, and run by its token', async () => {
  const { run } = commands(newSession());
  const refused = await run('-e', BIG);
  expect(refused).toMatchObject({ code: 5, out: '', err: expect.stringContaining('has to be reviewed first') });
  await run('--mode', 'plan', '-e', BIG);
  expect(await run('--plan-commit-ref', 'pc0', '-e', `${BIG}[id]`)).toMatchObject({ code: 5 });
  const accepted = await run('--plan-commit-ref', 'pc0', '-e', BIG);
  expect(accepted).toMatchObject({ code: 0, out: expect.stringContaining('`s0_o1` + pc0 review') });
  expect(accepted.err).toMatch(/follow it: holdpoint plasm run --wait --catalog \w+ --session \S+ -e 'wait\(s0_o1\)'/);
});

test('a run that waits tells its lines on standard error, and its rows at last', async () => {
  source.slow(30);
  const { run } = commands(newSession());
  const { code, out, err } = await run('--wait', '--force', '-e', `${BIG}[id]`);
  expect(code).toBe(0);
  expect(err).toMatch(/`s0_o1` \+.*\n`s0_o1` ~ 1\/1 Pokemon.*\n`s0_o1` ! 600r$/s);
  expect(out).toMatch(/^```text\n`s0_o1` ! 600r\n```\n\n\*\*Pokemon\*\* · 600 rows/);
});

test('rows come as JSON, or one by one, all that are kept', async () => {
  const { run } = commands(newSession());
  const whole = JSON.parse((await run('--json', '-e', 'Pokemon.limit(2)[id]')).out);
  expect(whole).toMatchObject({ rows: [{ id: 1 }, { id: 2 }], _meta: { plasm: { dry_verdict: 'ok' } } });
  expect(whole.run_markdown).toBe(whole.markdown);
  const { out } = await run('--accept', 'ndjson', '--wait', '--force', '-e', 'Pokemon[id]');
  expect(out.split('\n').map((line) => JSON.parse(line).id)).toEqual(Array.from({ length: 900 }, (_, i) => i + 1));
  const first = await run('--accept', 'ndjson', '-e', 'Pokemon.page_size(10)[id]');
  expect(first.out.split('\n')).toHaveLength(10);
});

test('the program may stand in a file or come by standard input; what is wrong with it is told with its place', async () => {
  writeFileSync(join(directory, 'some.plasm'), ';; three of them\nsome = Pokemon.limit(3)\nsome[name]\n');
  const session = newSession();
  const { run } = commands(session);
  expect((await run('some.plasm')).out).toContain('| p3 |');
  expect((await commands(session, { input: 'Pokemon.limit(1)[id]' }).run()).out).toContain('| 1 |');
  writeFileSync(join(directory, 'bad.plasm'), 'Pokemon.limit(3)[nam]\n');
  const bad = await run('bad.plasm');
  expect(bad).toMatchObject({ code: 2, out: '' });
  expect(bad.err).toMatch(/^bad\.plasm:1:\d+: .*name/m);
  expect(await run('-e', 'Pokemon', 'some.plasm')).toMatchObject({ code: 2, err: expect.stringContaining('not both') });
  expect(await run('none.plasm')).toMatchObject({ code: 2, err: expect.stringContaining('cannot read the program') });
});

test('all that is wrong with a plan file is told, each with its place', async () => {
  writeFileSync(
    join(directory, 'bad.yaml'),
    'plan: 1\nname: bad\ntasks:\n  a: { run: 5 }\n  b: { needs: [c], run: echo }\n',
  );
  const { run } = commands(newSession());
  const { code, err } = await run('bad.yaml');
  expect(code).toBe(2);
  expect(err.split('\n')).toEqual([
    'holdpoint: bad.yaml is not a valid plan: 2 problems',
    expect.stringMatching(/^bad\.yaml:4:\d+: `run` /),
    expect.stringMatching(/^bad\.yaml:5:\d+: .*c/),
  ]);
  expect((await run('-e', 'plan: 1\nname: bad\n')).err).toMatch(/^-e:\d+:\d+: .*tasks/m);
});

test('an unknown handle is 3, and a program that fails 1', async () => {
  const { run } = commands(newSession());
  expect(await run('-e', 'wait(s0_o7)')).toMatchObject({ code: 3, err: expect.stringContaining('s0_o7') });
  const gone = source.catalog.replace(/127\.0\.0\.1:\d+/, '127.0.0.1:9').replace('name: pokedex', 'name: gone');
  writeFileSync(join(directory, 'gone.yaml'), gone);
  const failing = commands(newSession());
  const { code } = await failing.run('--catalog', 'gone.yaml', '--wait', '-e', 'Pokemon.limit(1)');
  expect(code).toBe(1);
}, 90_000);

describe('Ctrl+C', () => {
  test('ends the waiting, and tells how to go on', async () => {
    source.slow(150);
    const session = newSession();
    const { start, run } = commands(session);
    const { ended, err, ctrlC } = start('--wait', '--force', '-e', BIG);
    await until('it is at work', () => err.some((line) => line.includes(' ~ ')));
    ctrlC();
    expect(await ended).toBe(130);
    const told = err.join('\n');
    expect(told).toContain('s0_o1 goes on');
    expect(told).toContain(`--session ${session} -e 'cancel(s0_o1)'`);
    source.slow(0);
    expect((await run('--wait', '-e', 'wait(s0_o1)')).out).toContain('! 600r');
  });

  test('of a program that was to answer at once gives it a handle', async () => {
    source.slow(300);
    const { start, run } = commands(newSession());
    const before = source.hits();
    const { ended, err, ctrlC } = start('-e', 'Pokemon.filter{base_experience >= 500}.limit(1)');
    await until('it is read', () => source.hits() > before);
    ctrlC();
    expect(await ended).toBe(130);
    expect(err.join('\n')).toContain('s0_o1 goes on');
    source.slow(0);
    expect((await run('--wait', '-e', 'wait(s0_o1)')).out).toContain('| p501 |');
  });
});

test('on a terminal a run that takes long shows its step and rows until it has ended', async () => {
  source.slow(200);
  const drawn: string[] = [];
  let closed = 0;
  const terminal: Terminal = {
    open: async () => ({
      columns: 100,
      rows: 24,
      hasKeys: true,
      draw: (rows) => void drawn.push(...rows),
      print() {},
      close: () => void closed++,
    }),
  };
  const { start } = commands(newSession());
  const { cli, ended, out } = start('-e', 'Pokemon.filter{base_experience >= 100}.limit(500)');
  cli.terminal = terminal;
  expect(await ended).toBe(0);
  expect(drawn.some((row) => /s0_o1 .*1\/1 {2}Pokemon {2}\d+ rows/.test(row))).toBe(true);
  expect(closed).toBe(1);
  expect(out.join('\n')).toContain('500 rows');
});
