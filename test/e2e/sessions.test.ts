import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BIN, http, newHome } from '../support/engine.ts';
import { isRunning } from '../support/processes.ts';
import { tempDir, until, witness } from '../support/world.ts';

let home: ReturnType<typeof newHome>;
beforeAll(() => {
  home = newHome({ npm_command: '' });
});
afterAll(async () => {
  await home.end();
});

const PROMPT_MS = 60_000;
/** Steps that each leave a mark; the second waits until it may go on. */
function workflow(w = witness(), second = 'b') {
  const file = w.path('wf.yml');
  const waits = `echo $$ >> ${w.path('pids')}; ${w.mark(second)}; test -f ${w.path('ok')} || sleep 60`;
  writeFileSync(
    file,
    `plan: 1\nname: wf\nsteps:\n  - run: "${w.mark('a')}"\n  - run: "${waits}"\n  - run: "${w.mark('c')}"\n`,
  );
  return { ...w, file, goOn: () => writeFileSync(w.path('ok'), '') };
}
const sessionIn = (text: string) => /session: (\S+)/.exec(text)![1]!;
const pids = (w: { path(name: string): string }) => readFileSync(w.path('pids'), 'utf8').trim().split('\n').map(Number);

async function interrupted(w: ReturnType<typeof workflow>, signal: NodeJS.Signals = 'SIGINT') {
  const n = w.n('b');
  const started = home.start(['run', w.file]);
  await until('b runs', () => w.n('b') === n + 1, PROMPT_MS);
  started.child.kill(signal);
  const { code, out, err } = await started.done;
  return { id: sessionIn(out), code, out, err };
}
const counts = (w: ReturnType<typeof workflow>) => [w.n('a'), w.n('b'), w.n('c')];

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s ends what runs and leaves a session to be resumed', async (signal, code) => {
  const w = workflow();
  const ended = await interrupted(w, signal);
  expect(ended.code).toBe(code);
  expect(ended.err).toContain(`Session interrupted. Resume with: holdpoint run ${w.file} --resume ${ended.id}`);
  expect(pids(w).some(isRunning)).toBe(false);
  w.goOn();
  const resumed = await home.cli('run', w.file, '--resume', ended.id);
  expect([resumed.code, counts(w)]).toEqual([0, [1, 2, 1]]);
  expect(resumed.out).toContain(`Resuming session: ${ended.id}\nResuming from step 2 of 3\n`);
});

test('a command line that is killed leaves a session that is interrupted by itself', async () => {
  const w = workflow();
  const { id } = await interrupted(w, 'SIGKILL');
  await until('its command is ended', () => !pids(w).some(isRunning));
  const shown = async () => JSON.parse((await home.cli('sessions', 'show', id, '--json')).out);
  await until('it is interrupted', async () => (await shown()).status === 'interrupted');
  expect(await shown()).toMatchObject({ step: 2, steps: 3, resumable: true, next: 'step-2', file: w.file });
  w.goOn();
  expect((await home.cli('run', '--resume', id)).code).toBe(0);
  expect(counts(w)).toEqual([1, 2, 1]);
});

test('everything is killed at once: the next command finds it interrupted, and no step runs meanwhile', async () => {
  const w = workflow();
  const started = home.start(['run', w.file]);
  await until('b runs', () => w.n('b') === 1, PROMPT_MS);
  for (const pid of home.processes()) process.kill(pid, 'SIGKILL');
  await started.done;
  await until('all is gone', () => home.processes().length === 0);
  const list = JSON.parse((await home.cli('sessions', 'ls', '--json')).out);
  const row = list.find(({ file }: { file: string }) => file === w.file);
  expect(row).toMatchObject({ status: 'interrupted', resumable: true });
  expect(w.n('b')).toBe(1);
  w.goOn();
  expect((await home.cli('run', w.file, '--resume-last')).code).toBe(0);
  expect(counts(w)).toEqual([1, 2, 1]);
});

test('the engine is killed under a session: the command line starts another one, and the session goes on', async () => {
  const w = workflow();
  const started = home.start(['run', w.file]);
  await until('b runs', () => w.n('b') === 1, PROMPT_MS);
  const { pid } = JSON.parse((await home.cli('server', 'status', '--json')).out);
  w.goOn();
  process.kill(pid, 'SIGKILL');
  expect((await started.done).code).toBe(0);
  expect(counts(w)).toEqual([1, 2, 1]);
});

test('a step that fails leaves a session that goes on with that step', async () => {
  const w = witness();
  const file = w.path('wf.yml');
  writeFileSync(
    file,
    `plan: 1\nname: f\nsteps:\n  - run: "${w.mark('a')}"\n  - run: "${w.mark('b')}; test -f ${w.path('ok')}"\n`,
  );
  const failed = await home.cli('run', file);
  const id = sessionIn(failed.out);
  expect(failed.code).toBe(1);
  expect(failed.err).toContain(`holdpoint run ${file} --resume ${id}`);
  writeFileSync(w.path('ok'), '');
  const resumed = await home.cli('run', file, '--resume', id);
  expect([resumed.code, w.n('a'), w.n('b')]).toEqual([0, 1, 2]);
  expect(resumed.out).toContain('Resuming from step 2 of 2');
});

test('of two that resume it at once, one does; the other is told where it is running', async () => {
  const w = workflow();
  const { id } = await interrupted(w);
  const both = [1, 2].map(() => home.start(['run', w.file, '--resume', id]));
  await until('b runs', () => w.n('b') === 2, PROMPT_MS);
  const first = await Promise.race(both.map((one) => one.done));
  expect(first.code).toBe(9);
  expect(first.err).toMatch(new RegExp(`session ${id} is running elsewhere: process \\d+ on `));
  w.goOn();
  for (const one of both) one.child.kill('SIGINT');
  await Promise.all(both.map((one) => one.done));
  expect((await home.cli('run', w.file, '--resume', id)).code).toBe(0);
  expect(counts(w)).toEqual([1, 3, 1]);
});

describe('what is not resumed is refused, each in its own words and with its own exit code', () => {
  test('unknown, completed, of another file', async () => {
    const w = workflow();
    const { id } = await interrupted(w);
    const other = workflow();
    for (const name of ['nothing', 'cook-1757231340', 'be3527bb-981b-4153-aae7-17a77f5c8273']) {
      const { code, err } = await home.cli('run', w.file, '--resume', name);
      expect([code, err]).toEqual([
        3,
        `holdpoint: there is no session ${name}; list them: holdpoint sessions ls --all\n`,
      ]);
    }
    const wrong = await home.cli('run', other.file, '--resume', id);
    expect([wrong.code, wrong.err]).toEqual([
      10,
      `holdpoint: session ${id} is not of ${other.file}, but of ${w.file}; resume it: holdpoint run ${w.file} --resume ${id}\n`,
    ]);
    w.goOn();
    expect((await home.cli('run', '--resume', id)).code).toBe(0);
    const over = await home.cli('run', w.file, '--resume', id);
    expect(over.code).toBe(5);
    expect(over.err).toMatch(
      new RegExp(`session ${id} is not resumable: it completed .*; start a new one: holdpoint run `),
    );
    expect((await home.cli('run', other.file, '--resume-last')).code).toBe(3);
  });

  test('a plan that no command line of this kind started', async () => {
    const { urls } = JSON.parse((await home.cli('server', 'status', '--json')).out);
    const w = witness();
    const id = await http(urls.api).create(`plan: 1\nname: rest\nsteps:\n  - run: "test -f ${w.path('ok')}"\n`);
    await until('it failed', async () => (await http(urls.api).state(id)) === 'failed');
    const { code, err } = await home.cli('run', '--resume', id);
    expect(code).toBe(12);
    expect(err).toContain(`holdpoint resume ${id}`);
  });

  test('one whose file was edited, unless somebody agrees: then finished steps are kept where they are the same', async () => {
    const w = workflow();
    const { id } = await interrupted(w);
    writeFileSync(w.file, readFileSync(w.file, 'utf8').replace(w.mark('c'), w.mark('d')));
    const refused = await home.cli('run', w.file, '--resume', id);
    expect(refused.code).toBe(11);
    expect(refused.err).toContain(`the file of session ${id} was edited since`);
    expect(refused.err).toContain('1 finished step kept; 2 steps to run:\n  step-2: it had not succeeded\n  step-3: ');
    expect(counts(w)).toEqual([1, 1, 0]);
    w.goOn();
    const agreed = await home.cli('run', w.file, '--resume', id, '--yes');
    expect([agreed.code, counts(w), w.n('d')]).toEqual([0, [1, 2, 0], 1]);
  });

  test('its file gone, it goes on by the one it was started from', async () => {
    const w = workflow();
    const { id } = await interrupted(w);
    rmSync(w.file);
    w.goOn();
    const { code, err } = await home.cli('run', '--resume', id);
    expect([code, counts(w)]).toEqual([0, [1, 2, 1]]);
    expect(err).toContain('there is no such file; the session goes on by the file that it was started from');
  });
});

test('what was given at the start holds for every attempt, whoever resumes it from wherever (case 26)', async () => {
  const w = witness();
  const directory = tempDir('place');
  const file = join(directory, 'env.yml');
  writeFileSync(join(directory, '.env'), 'C=file\n');
  writeFileSync(
    file,
    `plan: 1\nname: env\nenv_file: .env\nenv: { A: plan, D: plan }\nsteps:\n  - env: { B: task }\n    run: "echo $A $B $C $D $E $(pwd) >> ${w.path('log')}; test -f ${w.path('ok')}"\n`,
  );
  const first = home.start(['run', 'env.yml', '--env', 'D=given'], { A: 'shell', C: 'shell', E: 'leak' }, directory);
  expect((await first.done).code).toBe(1);
  const id = JSON.parse((await home.start(['sessions', 'ls', '--json'], {}, directory).done).out)[0].session_id;
  writeFileSync(w.path('ok'), '');
  const second = home.start(['run', '--resume', id], { A: 'other', C: 'other', E: 'other' }, '/');
  expect((await second.done).code).toBe(0);
  const lines = readFileSync(w.path('log'), 'utf8').trim().split('\n');
  expect(lines).toEqual(Array(2).fill(`plan task file given ${directory}`));
});

test('--leave-running and --detach leave it to the engine; --resume comes back to it', async () => {
  const w = workflow();
  const left = home.start(['run', w.file, '--leave-running']);
  await until('b runs', () => w.n('b') === 1, PROMPT_MS);
  left.child.kill('SIGINT');
  const { code, out, err } = await left.done;
  expect([code, err]).toEqual([130, expect.stringContaining('goes on in the engine')]);
  expect(pids(w).every(isRunning)).toBe(true);
  const back = home.start(['run', '--resume', sessionIn(out)]);
  await until('it is back', () => back.out().includes('watch it'));
  back.child.kill('SIGINT');
  expect((await back.done).code).toBe(130);
  w.goOn();
  expect((await home.cli('run', w.file, '--resume-last')).code).toBe(0);
  expect(counts(w)).toEqual([1, 2, 1]);
});

test('sessions clean removes what completed, never what is running; with --all, what could be resumed', async () => {
  await interrupted(workflow());
  const w = workflow();
  const running = home.start(['run', w.file]);
  await until('b runs', () => w.n('b') === 1, PROMPT_MS);
  const refused = await home.cli('sessions', 'clean', '--all');
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringMatching(/would remove \d+ sessions, \d+ of which could be resumed; say --yes/),
  ]);
  const { removed, kept } = JSON.parse((await home.cli('sessions', 'clean', '--all', '--yes', '--json')).out);
  expect([removed.length > 0, kept]).toEqual([true, []]);
  const rows = JSON.parse((await home.cli('sessions', 'ls', '--all', '--json')).out);
  expect(rows.map(({ session_id, status }: { session_id: string; status: string }) => [session_id, status])).toEqual([
    [sessionIn(running.out()), 'running'],
  ]);
  running.child.kill('SIGINT');
  await running.done;
});

describe('in a worktree of its own (case 27)', () => {
  test('killed in the middle, its worktree deleted by hand, it goes on in the same place from the same branch; clean keeps what is nowhere else', async () => {
    const w = witness();
    const repo = tempDir('repo');
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
        cwd: repo,
        encoding: 'utf8',
      }).trim();
    git('init', '-q', '-b', 'main');
    writeFileSync(join(repo, 'f'), '1\n');
    git('add', '.');
    git('commit', '-qm', 'one');
    const head = git('rev-parse', 'HEAD');
    const commit = 'git -c user.name=t -c user.email=t@example.org commit -qam more';
    const file = w.path('wf.yml');
    const where = `echo $(pwd) $(git rev-parse --abbrev-ref HEAD) >> ${w.path('where')}`;
    writeFileSync(
      file,
      `plan: 1\nname: tree\nsteps:\n  - run: "${where}; echo 2 >> f; ${commit}"\n  - run: "${where}; ${w.mark('b')}; test -f ${w.path('ok')} || sleep 60"\n  - run: "${where}; echo 3 >> f; ${commit}; echo new > untracked"\n`,
    );
    const started = home.start(['run', file, '--worktree'], {}, repo);
    await until('b runs', () => w.n('b') === 1, PROMPT_MS);
    const id = sessionIn(started.out());
    started.child.kill('SIGKILL');
    await started.done;
    const shown = async () => JSON.parse((await home.cli('sessions', 'show', id, '--json')).out);
    await until('it is interrupted', async () => (await shown()).status === 'interrupted');
    const { worktree } = await shown();
    expect(worktree).toMatchObject({ branch: `holdpoint/${id}` });
    writeFileSync(join(worktree.path, 'mine'), '');
    const all = await home.start(['sessions', 'clean', '--all', '--yes'], {}, repo).done;
    expect(all.err).toContain(`kept of ${id}: its worktree holds work: ${worktree.path}: 1 file in it not committed`);
    expect((await shown()).status).toBe('interrupted');
    rmSync(worktree.path, { recursive: true });
    writeFileSync(w.path('ok'), '');
    expect((await home.start(['run', '--resume', id], {}, '/').done).code).toBe(0);
    const lines = readFileSync(w.path('where'), 'utf8').trim().split('\n');
    expect(lines).toEqual(Array(4).fill(`${worktree.path} ${worktree.branch}`));
    expect([
      git('rev-parse', 'HEAD'),
      git('rev-parse', '--abbrev-ref', 'HEAD'),
      readFileSync(join(repo, 'f'), 'utf8'),
    ]).toEqual([head, 'main', '1\n']);
    expect(git('show', `${worktree.branch}:f`)).toBe('1\n2\n3');

    const clean = async () =>
      JSON.parse((await home.start(['sessions', 'clean', '--yes', '--json'], {}, repo).done).out);
    expect(await clean()).toEqual({
      removed: [],
      kept: [{ session_id: id, why: expect.stringContaining('1 file in it not committed') }],
    });
    rmSync(join(worktree.path, 'untracked'));
    expect(await clean()).toEqual({
      removed: [id],
      kept: [{ session_id: id, why: expect.stringContaining('2 commits are on no other branch') }],
    });
    expect([existsSync(worktree.path), git('branch', '--list', worktree.branch).trim()]).toEqual([
      false,
      worktree.branch,
    ]);
  }, 90_000);
});

test('the command that goes on is right for a file whose name begins like an option', async () => {
  const w = workflow();
  const directory = tempDir('names');
  writeFileSync(join(directory, '--help'), readFileSync(w.file));
  const started = home.start(['run', './--help'], {}, directory);
  await until('b runs', () => w.n('b') === 1, PROMPT_MS);
  started.child.kill('SIGINT');
  const { err, out } = await started.done;
  expect(err).toContain(`Resume with: holdpoint run ./--help --resume ${sessionIn(out)}\n`);
  w.goOn();
  expect((await home.start(['run', './--help', '--resume', sessionIn(out)], {}, directory).done).code).toBe(0);
  expect(counts(w)).toEqual([1, 2, 1]);
});

test('a session whose output nobody reads any more is interrupted, and says how to go on', async () => {
  const w = workflow();
  const first = `${w.mark('a')}; until test -f ${w.path('a-ends')}; do sleep 0.1; done`;
  writeFileSync(w.file, readFileSync(w.file, 'utf8').replace(w.mark('a'), first));
  const started = home.start(['run', w.file]);
  await until('a runs', () => started.out().includes('step-1  started'), PROMPT_MS);
  started.child.stdout.destroy();
  writeFileSync(w.path('a-ends'), '');
  const { code, err, out } = await started.done;
  expect(code).toBe(141);
  expect(err).toContain(`Session interrupted. Resume with: holdpoint run ${w.file} --resume ${sessionIn(out)}`);
  w.goOn();
  expect((await home.cli('run', '--resume', sessionIn(out))).code).toBe(0);
  expect([w.n('a'), w.n('c')]).toEqual([1, 1]);
});

test('a paused session that a process still has is not offered to be resumed, nor cleaned up', async () => {
  const w = witness();
  const file = w.path('wf.yml');
  const waits = `${w.mark('a')}; until test -f ${w.path('ok')}; do sleep 0.1; done`;
  writeFileSync(file, `plan: 1\nname: held\nsteps:\n  - run: "${waits}"\n  - run: "${w.mark('b')}"\n`);
  const started = home.start(['run', file]);
  await until('a runs', () => w.n('a') === 1, PROMPT_MS);
  const id = sessionIn(started.out());
  await home.cli('pause', id);
  writeFileSync(w.path('ok'), '');
  const shown = async () => JSON.parse((await home.cli('sessions', 'show', id, '--json')).out);
  await until('it is paused', async () => (await shown()).status === 'paused', PROMPT_MS);
  expect(await shown()).toMatchObject({ resumable: false, resume: null, held_by: expect.any(String) });
  expect(JSON.parse((await home.cli('sessions', 'clean', '--all', '--yes', '--json')).out).removed).not.toContain(id);
  started.child.kill('SIGINT');
  expect((await started.done).code).toBe(130);
  expect(await shown()).toMatchObject({ status: 'paused', resumable: true });
});

test('a command that is called in a directory that is gone says so in a line', async () => {
  const directory = tempDir('gone');
  const child = spawn('bash', ['-c', `rmdir "$PWD" && exec ${process.execPath} ${BIN} run a.yml`], {
    cwd: directory,
    env: { ...process.env, HOLDPOINT_HOME: home.home, NO_COLOR: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let err = '';
  child.stderr.on('data', (chunk) => (err += chunk));
  const [code] = await once(child, 'close');
  expect([code, err]).toEqual([
    2,
    'holdpoint: the directory that this was called in is gone; change to one that is there\n',
  ]);
});
