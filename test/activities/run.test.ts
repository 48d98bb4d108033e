import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { loadStored } from '../../src/activities/stored-values.ts';
import type { JsonObject } from '../../src/plan/json.ts';
import { recordPlace } from '../../src/service/place.ts';
import { until } from '../support/world.ts';
import { place } from './attempts.ts';

const final = (message: string | RegExp) =>
  expect.objectContaining({ final: true, message: expect.stringMatching(message) });

describe('outputs through $HOLDPOINT_OUTPUT', () => {
  test.each<[string, string, object]>([
    ['a line', 'echo a=1 >> $HOLDPOINT_OUTPUT', { a: '1' }],
    ['a value with signs in it', `echo 'a-b=x=<<y' >> $HOLDPOINT_OUTPUT`, { 'a-b': 'x=<<y' }],
    ['an empty value, and empty lines', `printf '\\na=\\n\\n' >> $HOLDPOINT_OUTPUT`, { a: '' }],
    ['no last line break', 'printf a=1 >> $HOLDPOINT_OUTPUT', { a: '1' }],
    ['a name given twice: the last one counts', `printf 'a=1\\na=2\\n' >> $HOLDPOINT_OUTPUT`, { a: '2' }],
    ['a block', `printf 'a<<E\\none\\n\\nb=2\\n E\\nE\\nc=3\\n' >> $HOLDPOINT_OUTPUT`, { a: 'one\n\nb=2\n E', c: '3' }],
    ['an empty block', `printf 'a<<E\\nE\\n' >> $HOLDPOINT_OUTPUT`, { a: '' }],
    [
      'lines that end in CRLF',
      `printf 'a=1\\r\\nb<<E\\r\\nx\\r\\ny\\r\\nE\\r\\n' >> $HOLDPOINT_OUTPUT`,
      { a: '1', b: 'x\r\ny' },
    ],
    ['bytes that are no UTF-8, and NUL', `printf 'a=caf\\351\\0!\\n' >> $HOLDPOINT_OUTPUT`, { a: 'caf\ufffd\0!' }],
    [
      'a JSON object',
      `echo '{"n": 1, "l": [true, null], "t": "x\\n"}' > $HOLDPOINT_OUTPUT`,
      { n: 1, l: [true, null], t: 'x\n' },
    ],
    ['a name of objects', `echo '__proto__=1' > $HOLDPOINT_OUTPUT`, JSON.parse('{"__proto__": "1"}')],
    ['a file that was removed', 'rm $HOLDPOINT_OUTPUT', {}],
  ])('%s', async (_, script, outputs) => {
    expect(await place().run(script)).toEqual({ stdout: '', exit_code: 0, ...outputs });
  });

  test.each<[string, string | RegExp]>([
    [`printf 'a=1\\nno sign\\n'`, /^\$HOLDPOINT_OUTPUT: line 2: write name=value/],
    [`printf 'a=1\\n\\n1b=2\\n'`, /line 3: "1b" cannot be an output; names have letters/],
    [`printf 'a =1\\n'`, /line 1: "a " cannot be an output/],
    [`printf 'x<<E\\na\\n'`, 'line 1: no line "E" ends the block'],
    [`printf 'x<<\\na\\n'`, 'line 1: the word that ends the block is missing'],
    [`printf 'stdout=1\\n'`, 'line 1: stdout is an output that every run task has'],
    [`printf 'x<<E\\na\\nb\\nE\\nfiles=1\\n'`, 'line 5: files is an output'],
    [`printf '{"exit_code": 1}'`, 'exit_code is an output'],
    [`printf '{"a": 1,}'`, 'begins with "\\{" and is not JSON: line 1, column 9: unexpected "}"'],
    [`printf '{"a": 1}{"b": 2}'`, 'line 1, column 9: unexpected'],
    ['for i in {1..300}; do echo v$i=1; done', 'has 300 outputs; a task has at most 256'],
  ])('%s fails the attempt for good', async (script, message) => {
    await expect(place().run(`${script} > $HOLDPOINT_OUTPUT`)).rejects.toEqual(final(message));
  });

  test('what is no file, or over 50 MiB, is refused', async () => {
    await expect(place().run('rm $HOLDPOINT_OUTPUT; mkfifo $HOLDPOINT_OUTPUT')).rejects.toEqual(final('not a file'));
    await expect(place().run('truncate -s 50M $HOLDPOINT_OUTPUT; echo >> $HOLDPOINT_OUTPUT')).rejects.toEqual(
      final('holds 52428801 bytes; all outputs together have at most 52428800'),
    );
  });

  test('the file is fresh for every attempt, and removed afterwards', async () => {
    const { run, planFolder } = place();
    const script =
      'test ! -s $HOLDPOINT_OUTPUT && test -O $HOLDPOINT_OUTPUT && echo a=$HOLDPOINT_ATTEMPT >> $HOLDPOINT_OUTPUT';
    mkdirSync(join(planFolder, 'scripts', 'run-1.a#1.1.output'), { recursive: true });
    expect(await run(script)).toMatchObject({ a: '1' });
    expect(await run(script, {}, { attempt: 2 })).toMatchObject({ a: '2' });
    await expect(run('exit 3')).rejects.toThrow('exit code 3');
    expect(readdirSync(join(planFolder, 'scripts'))).toEqual([]);
  });

  test('an attempt that begins before another of the same number has ended, as after a reset, has files of its own', async () => {
    const { run, planFolder } = place();
    const at = (name: string) => join(planFolder, name);
    const waits = (name: string) =>
      `echo a=${name} >> $HOLDPOINT_OUTPUT\ntouch ${at(name)}\nuntil test -f ${at(`${name}-ends`)}; do sleep 0.02; done`;
    const first = run(waits('first'));
    await until('the first is at work', () => existsSync(at('first')));
    const second = run(waits('second'));
    await until('the second is at work', () => existsSync(at('second')));
    writeFileSync(at('first-ends'), '');
    expect(await first).toMatchObject({ a: 'first' });
    writeFileSync(at('second-ends'), '');
    expect(await second).toMatchObject({ a: 'second' });
  });

  test('large values go by reference, and come back as they were', async () => {
    const { run, store } = place();
    const long = 'x'.repeat(5_000);
    const given = { text: long, lined: `${long}\n`, crlf: `${long}\r\n`, data: { list: [long, 1] } };
    const outputs = await run(`cat > $HOLDPOINT_OUTPUT <<'E'\n${JSON.stringify(given)}\nE`);
    expect(outputs).toMatchObject({ text: { $stored: { bytes: 5_000 } }, data: { $stored: { json: true } } });
    expect(await loadStored(outputs, store)).toEqual({ stdout: '', exit_code: 0, ...given });
    const used = await run(
      'echo ${{ tasks.b.outputs.data.list[1] + 1 }}',
      {},
      { outputs: { b: outputs as JsonObject } },
    );
    expect(used).toMatchObject({ stdout: '2' });
  });

  test('many values at once still fit into one answer', async () => {
    const outputs = await place().run(
      'x=$(head -c 4000 /dev/zero | tr "\\\\0" x); for i in {1..250}; do echo v$i=$x; done > $HOLDPOINT_OUTPUT',
    );
    expect(JSON.stringify(outputs).length).toBeLessThan(800_000);
    expect(outputs).toMatchObject({ v1: expect.any(String), v250: { $stored: { bytes: 4_000 } } });
  });
});

describe('capture', () => {
  test.each<[string, string, object]>([
    ['json', `echo '{"a": [1, "x"]}'`, { stdout: { a: [1, 'x'] } }],
    ['json', 'echo 3', { stdout: 3 }],
    ['lines', `printf 'a\\r\\n\\nb\\n'`, { stdout: ['a', '', 'b'] }],
    ['lines', `printf 'a\\nb'`, { stdout: ['a', 'b'] }],
    ['lines', 'true', { stdout: [] }],
    ['lines', 'echo', { stdout: [''] }],
    ['none', 'echo out', {}],
    ['text', `printf 'a\\n\\n'`, { stdout: 'a\n' }],
  ])('%s of %s', async (capture, script, outputs) => {
    const at = place();
    expect(await at.run(script, { capture })).toEqual({ exit_code: 0, ...outputs });
    if (capture === 'none') expect(readFileSync(at.log, 'utf8')).toBe('out\n');
  });

  test.each([
    [`printf '{\\n  "a": x\\n}'`, 'stdout is not JSON: line 2, column 8: unexpected "x'],
    ['true', 'line 1, column 1: it ends too early'],
    [`printf '[1, 2'`, 'line 1, column 6: it ends too early'],
    [`printf '"a\\tb"'`, 'line 1, column 1: unexpected'],
    [`printf '[1] x'`, 'line 1, column 5: unexpected "x"'],
    [`printf '[01]'`, 'line 1, column 3: unexpected "1'],
    [`printf '{"a" 1}'`, 'line 1, column 6: unexpected'],
    ['head -c 200000 /dev/zero | tr "\\\\0" [', 'column 200001: it ends too early'],
  ])('json of %s fails for good, and says where', async (script, message) => {
    await expect(place().run(script, { capture: 'json' })).rejects.toEqual(final(message.replace(/[[\]]/g, '\\$&')));
  });

  test('large JSON and long lists go by reference, and are values where an expression reads them', async () => {
    const { run } = place();
    const json = await run(`printf '{"n": [7], "t": "%05000d"}' 0`, { capture: 'json' });
    expect(json).toMatchObject({ stdout: { $stored: { json: true } } });
    const lines = await run('seq 5000', { capture: 'lines' });
    const script = 'echo ${{ tasks.j.outputs.stdout.n[0] }} ${{ tasks.l.outputs.stdout[4999] }}';
    expect(await run(script, {}, { outputs: { j: json as JsonObject, l: lines as JsonObject } })).toMatchObject({
      stdout: '7 5000',
    });
  });

  test('JSON that was cut is refused', async () => {
    await expect(place().run('yes | head -c 70000000', { capture: 'json' })).rejects.toEqual(
      final(/^stdout is too long for JSON: \d+ bytes of it were not kept$/),
    );
  });
});

describe('the working directory', () => {
  test('is one below the plan’s own, by a value if need be', async () => {
    const { run, work } = place();
    mkdirSync(join(work, 'sub dir'), { recursive: true });
    const words = { working_directory: 'sub ${{ inputs.d }}' };
    expect(await run('pwd', words, { inputs: { d: 'dir' } })).toMatchObject({ stdout: join(work, 'sub dir') });
    expect(
      await run('pwd', words, { inputs: { d: 'dir' }, place: { directory: work, env: { PATH: process.env.PATH! } } }),
    ).toMatchObject({
      stdout: join(work, 'sub dir'),
    });
    await expect(run('pwd', { working_directory: 'none' })).rejects.toThrow(
      /the working directory .*none does not exist/,
    );
    await expect(run('pwd', { working_directory: '${{ inputs.d }}' }, { inputs: { d: '' } })).rejects.toEqual(
      final('empty'),
    );
    await expect(run('pwd', { working_directory: '${{ inputs.d }}' }, { inputs: { d: [1] } })).rejects.toEqual(
      final('no text'),
    );
  });
});

describe('bytes and characters (case 23)', () => {
  test('what is no UTF-8 fails nothing, and stands in the log as it was', async () => {
    const at = place();
    expect(await at.run(`printf 'caf\\351 \\377\\376'`)).toMatchObject({ stdout: 'caf\ufffd \ufffd\ufffd' });
    expect(readFileSync(at.log)).toEqual(Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x20, 0xff, 0xfe]));
  });

  test('a character that comes byte by byte is one, in outputs and in errors', async () => {
    const split = `printf '\\342'; sleep 0.1; printf '\\211'; sleep 0.1; printf '\\244'`;
    expect(await place().run(split)).toMatchObject({ stdout: '\u2264' });
    await expect(place().run(`{ ${split}; } >&2; exit 1`)).rejects.toThrow('exit code 1: \u2264');
  });

  test('line breaks, progress bars, colours and NUL are kept as they come', async () => {
    const { run } = place();
    const stdout = 'a\r\nb\r50%\r100%\u001b[31m red\u001b[0m\0.';
    const outputs = await run(`printf 'a\\r\\nb\\r50%%\\r100%%\\033[31m red\\033[0m\\0.\\n'`);
    expect(outputs).toEqual({ stdout, exit_code: 0 });
    expect(
      await run('printf %s ${{ tasks.b.outputs.stdout }}', {}, { outputs: { b: outputs as JsonObject } }),
    ).toMatchObject({
      stdout: stdout.replace('\0', ''),
    });
  });

  test('a line of 200 kB without an end is whole in outputs, and short in errors', async () => {
    const { run, store } = place();
    const line = 'for i in {1..35000}; do printf "é😀"; done';
    expect(await loadStored(await run(line), store)).toMatchObject({ stdout: 'é😀'.repeat(35_000) });
    const failed: { message: string; details: { stderr: string } } = await run(`{ ${line}; } >&2; exit 1`).then(
      () => expect.fail(),
      (error) => error,
    );
    expect(failed.message.length).toBeLessThan(320);
    expect(failed.message + failed.details.stderr).not.toMatch(/\ufffd/);
    expect(`${failed.message}${failed.details.stderr}`).not.toMatch(/[\ud800-\udfff]/u);
  });
});

describe('floods of output (case 24)', () => {
  /** How much more memory this process takes while something runs, in MiB. */
  async function growth(work: Promise<unknown>): Promise<number> {
    const before = process.memoryUsage.rss();
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, 10);
    await work.finally(() => clearInterval(watch));
    return (peak - before) / 2 ** 20;
  }

  test('hundreds of megabytes leave memory flat; head and tail are kept, with a mark between', async () => {
    const at = place();
    const flood = at.run('echo first; yes 0123456789abcdef | head -c 700000000; echo; echo last', { capture: 'none' });
    expect(await growth(flood)).toBeLessThan(150);
    const log = readFileSync(at.log, 'utf8');
    expect(log.length).toBeLessThan(66 * 2 ** 20);
    expect(log).toMatch(/^first\n/);
    expect(log).toMatch(/\n… 63\d{7} bytes dropped …\n/);
    expect(log).toMatch(/\nlast\n$/);
  }, 60_000);

  test('a disk that is slower than the command holds the command up, and not in memory', async () => {
    const at = place();
    mkdirSync(dirname(at.log), { recursive: true });
    spawnSync('mkfifo', [at.log]);
    const script = 'yes | head -c 300000000 & wait; touch done';
    const running = at.run(script, { capture: 'none' });
    expect(await growth(delay(1_500))).toBeLessThan(60);
    expect(existsSync(join(at.work, 'done'))).toBe(false);
    const reader = spawn('wc', ['-c', at.log]);
    const closed = once(reader, 'close');
    let read = '';
    reader.stdout.on('data', (chunk) => {
      read += chunk;
    });
    expect(await running).toEqual({ exit_code: 0 });
    await closed;
    expect(Number.parseInt(read, 10)).toBeGreaterThan(64 * 2 ** 20);
  }, 60_000);

  test.skipIf(!existsSync('/dev/full'))('a full disk fails the task at once, with that reason', async () => {
    for (const [name, words] of [
      ['log', { capture: 'none' }],
      ['stdout', {}],
    ] as const) {
      const at = place();
      mkdirSync(dirname(at.log), { recursive: true });
      symlinkSync('/dev/full', at.log.replace(/log$/, name));
      const began = Date.now();
      await expect(at.run('echo x; sleep 30', words)).rejects.toThrow(
        /^the output could not be written: ENOSPC: no space left on device/,
      );
      expect(Date.now() - began).toBeLessThan(5_000);
    }
  });
});

test('a task’s environment is the recorded one, the plan’s and the task’s, and nothing else (case 26)', async () => {
  process.env.LEAKED = 'x';
  const recorded = recordPlace({ ...process.env, LANG: 'C.UTF-8', TZ: 'UTC' });
  const { store, ...at } = place();
  const env = { A: 'from the plan or the task', TZ: 'over the recorded', HOLDPOINT_TASK: 'not this' };
  const outputs = await loadStored(await at.run('env -0', {}, { place: recorded, env }), store);
  const seen = Object.fromEntries(
    (outputs as { stdout: string }).stdout
      .split('\0')
      .filter(Boolean)
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  delete process.env.LEAKED;
  expect(seen).toEqual({
    ...recorded.env,
    ...env,
    HOLDPOINT_PLAN_ID: 'p',
    HOLDPOINT_RUN: '1',
    HOLDPOINT_TASK: 'a',
    HOLDPOINT_ATTEMPT: '1',
    HOLDPOINT_IDEMPOTENCY_KEY: 'p/0/a',
    HOLDPOINT_OUTPUT: join(at.planFolder, 'scripts', 'run-1.a#1.1.output'),
    // What bash itself sets.
    PWD: at.work,
    SHLVL: expect.any(String),
    _: expect.stringMatching(/\/env$/),
  });
});
