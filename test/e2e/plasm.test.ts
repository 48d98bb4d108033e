import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pokedex } from '../mcp/plasm-source.ts';
import { rpcClient, type Wire } from '../mcp/rpc.ts';
import { newHome } from '../support/engine.ts';
import { tempDir, until } from '../support/world.ts';

let home: ReturnType<typeof newHome>;
let source: Awaited<ReturnType<typeof pokedex>>;
let url: string;
beforeAll(async () => {
  source = await pokedex();
  home = newHome({ HOLDPOINT_ALLOW_PRIVATE_HOSTS: '127.0.0.1' });
  ({ url } = await home.up());
}, 180_000);
afterAll(async () => {
  source.stop();
  await home.end();
});

/** As the document writes them, but for the name of the program. */
const shell = (line: string) =>
  home.cli(...[...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!));

test("the document's commands, with one catalog registered and named nowhere", async () => {
  const file = join(tempDir('pokedex'), 'pokedex.yaml');
  writeFileSync(file, source.catalog);
  const added = await shell(`plasm catalog add ${file}`);
  expect(added.code).toBe(0);
  const hash = added.out.trim();
  expect((await shell('plasm catalog show')).out).toContain('Pokemon');

  const dry = await shell("plasm run --mode plan -e 'Pokemon.filter{base_experience >= 300}'");
  expect(dry).toMatchObject({ code: 0, err: '' });
  expect(dry.out).toContain('plan review · 1n 1r → Pokemon · pc0');
  expect(source.hits()).toBe(0);

  source.slow(3_000);
  const accepted = await shell("plasm run --wait=false --force -e 'Pokemon.filter{base_experience >= 300}'");
  expect(accepted.out).toContain('wait(s0_o1) · verdict review');
  const waited = await shell("plasm run -e 'wait(s0_o1)'");
  expect(waited.out).toMatch(/^```text\n`s0_o1` [~=] 1\/1/);
  const cancelled = await shell("plasm run -e 'cancel(s0_o1)'");
  expect(cancelled.code).toBe(0);
  source.slow(0);
  const end = await until('it has ended', async () => {
    const now = await shell("plasm run -e 'wait(s0_o1)'");
    return now.out.includes('`s0_o1` x') && now;
  });
  expect(end.code).toBe(8);

  const program = 'Pokemon.filter{base_experience >= 300}';
  const overHttp = await fetch(`${url}/execute/${hash}/any?mode=plan`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', accept: 'application/json' },
    body: program,
  });
  const { result } = (await rpcClient(url).messages('tools/call', { name: 'plasm', arguments: { program } })).at(-1)!;
  const onTheLine = JSON.parse((await shell(`plasm run --mode plan --json -e '${program}'`)).out);
  const there = ((await overHttp.json()) as Wire)._meta.plasm.commit_id;
  expect([result!._meta.plasm.commit_id, onTheLine._meta.plasm.commit_id]).toEqual([there, there]);
}, 180_000);

test('Ctrl+C ends a command that waits, and not what it waits for', async () => {
  source.slow(300);
  const of = ['--session', 'left'];
  const { child, done } = home.start(['plasm', 'run', '--wait', '--force', ...of, '-e', 'Pokemon.limit(400)[id]']);
  let told = '';
  child.stderr.on('data', (text) => {
    told += text;
  });
  await until('it waits', () => told.includes(' ~ 1/1 Pokemon'));
  child.kill('SIGINT');
  const { code, err, out } = await done;
  expect({ code, out }).toEqual({ code: 130, out: '' });
  expect(err).toContain('s0_o1 goes on');
  source.slow(0);
  const waited = await home.cli('plasm', 'run', '--wait', ...of, '-e', 'wait(s0_o1)');
  expect(waited).toMatchObject({ code: 0, out: expect.stringContaining('`s0_o1` ! 400r') });
}, 120_000);

test('a long program, which a thread reads, is understood, and told where it is wrong', async () => {
  const steps = Array.from(
    { length: 400 },
    (_, i) => `s${i}x = ${i === 0 ? 'Pokemon.limit(1)' : `s${i - 1}x{id > 0}`}`,
  );
  const file = join(tempDir('long'), 'long.plasm');
  writeFileSync(file, `${steps.join('\n')}\n${' '.repeat(5_000)};; to its end\ns399x[id]\n`);
  const dry = await home.cli('plasm', 'run', '--mode', 'plan', file);
  expect(dry).toMatchObject({ code: 0, out: expect.stringContaining('plan ok') });
  writeFileSync(file, `${steps.join('\n')}\n${' '.repeat(5_000)}s399x[id\n`);
  const wrong = await home.cli('plasm', 'run', '--mode', 'plan', file);
  expect(wrong.code).toBe(2);
  expect(wrong.err).toMatch(/long\.plasm:40[12]:\d+: /);
});
