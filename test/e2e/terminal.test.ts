import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BIN, newHome } from '../support/engine.ts';
import { tempDir, until } from '../support/world.ts';

// A real terminal, made by util-linux' `script`, of 80 by 24; keys are typed by writing to it.
const HAS_SCRIPT = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false;
const home = newHome();
const folder = tempDir('terminal');
beforeAll(() => {
  writeFileSync(
    join(folder, 'ask.yaml'),
    'plan: 1\nname: asks\ntasks: { ok: { approve: { prompt: "Go on?", options: [no, go] } } }\n',
  );
});
afterAll(() => home.end());

const [HIDE, SHOW] = ['\u001B[?25l', '\u001B[?25h'];

/** Sequences that set a colour or a weight. */
const coloursIn = (text: string): string[] => text.split('\u001B').filter((part) => /^\[[\d;]*m/.test(part));

function atTerminal(args: string) {
  const command = `stty cols 80 rows 24; ${process.execPath} ${BIN} ${args}; echo "code $?"; stty -a`;
  const { CI: _, NO_COLOR: __, ...env } = process.env;
  const child = spawn('script', ['-qec', `bash -c '${command}'`, '/dev/null'], {
    cwd: folder,
    env: { ...env, HOLDPOINT_HOME: home.home, PORT: '', TERM: 'xterm-256color' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let seen = '';
  child.stdout.on('data', (chunk) => (seen += chunk));
  return {
    seen: () => seen,
    shows: (text: string) => until(`it shows ${text}`, () => seen.includes(text), 900_000),
    type: (keys: string) => child.stdin.write(keys),
    ended: once(child, 'close').then(() => seen),
  };
}

test.skipIf(!HAS_SCRIPT)(
  'at a terminal a plan is drawn, answered by keys, and the terminal given back',
  async () => {
    const { shows, type, ended } = atTerminal('run ask.yaml');
    await shows('a answer');
    type('a');
    await shows('2. go');
    type('\u001B[B\r');
    await shows('comment');
    type('fine\r');
    const all = await ended;
    expect(all).toContain('answered by');
    expect(all).toContain('completed 1 task');
    expect(all).toMatch(/code 0\s/);
    expect(all.lastIndexOf(SHOW)).toBeGreaterThan(all.lastIndexOf(HIDE));
    expect(all).toMatch(/ icanon/);
    expect(all).toMatch(/ echo /);
  },
  900_000,
);

test.skipIf(!HAS_SCRIPT)(
  'Ctrl+C while an answer is typed gives the terminal back, and interrupts the session',
  async () => {
    const { shows, type, ended } = atTerminal('run ask.yaml');
    await shows('a answer');
    type('a');
    await shows('2. go');
    type('\u0003');
    const all = await ended;
    expect(all).toMatch(/Session interrupted\. Resume with: .*holdpoint run ask\.yaml --resume \S+/);
    expect(all).toMatch(/code 130\s/);
    expect(all.lastIndexOf(SHOW)).toBeGreaterThan(all.lastIndexOf(HIDE));
    expect(all).toMatch(/ icanon/);
  },
  900_000,
);

test.skipIf(!HAS_SCRIPT)(
  '--no-color draws without colours, and --plain does not draw',
  async () => {
    const drawn = atTerminal('run ask.yaml --no-color');
    await drawn.shows('a answer');
    drawn.type('q');
    expect(coloursIn(await drawn.ended)).toEqual([]);
    const plain = atTerminal('run ask.yaml --plain');
    await plain.shows('asks: Go on?');
    plain.type('\u0003');
    expect(await plain.ended).not.toContain(HIDE);
  },
  900_000,
);

test.skipIf(!HAS_SCRIPT)('at a question of yes or no, Ctrl+C ends the command, and Ctrl+D is a no', async () => {
  const file = join(folder, 'edited.yaml');
  writeFileSync(file, 'plan: 1\nname: edited\nsteps: [{ run: exit 1 }]\n');
  await atTerminal('run edited.yaml').ended;
  writeFileSync(file, 'plan: 1\nname: edited\nsteps: [{ run: exit 0 }]\n');
  const answered = async (keys: string) => {
    const terminal = atTerminal('run edited.yaml --resume-last');
    await terminal.shows('[y/N]');
    terminal.type(keys);
    return await terminal.ended;
  };
  expect(await answered('\u0003')).toMatch(/\r\ninterrupted; no plan was started\r\ncode 130\r\n/);
  expect(await answered('\u0004')).toMatch(/\r\n.*nothing was changed; .*\r\ncode 11\r\n/);
  expect(await answered('y\r')).toMatch(/completed 1 task.*\r\n(.*\r\n)*code 0\r\n/);
});
