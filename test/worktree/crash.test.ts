import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ensureWorktree } from '../../src/worktree/ensure.ts';
import { tempDir, until } from '../support/world.ts';
import { compileFixtures } from '../temporal/compiled.ts';
import { commit, env, git, newWorktree, standing } from './repositories.ts';

/** A checkout stands still in its middle until the gate is there. */
async function slowWorktree() {
  const made = await newWorktree();
  const gate = join(tempDir('gate'), 'gate');
  writeFileSync(join(made.repository, '.gitattributes'), 'slow filter=slow\n');
  const base = commit(made.repository, 'slow');
  git(made.repository, 'config', 'filter.slow.smudge', `while [ ! -e ${gate} ]; do sleep 0.05; done; cat`);
  return { worktree: { ...made, base }, open: () => writeFileSync(gate, '') };
}

test.each([
  ['alone, and its Git goes on', false],
  ['with its Git', true],
])('a process that made a worktree was killed %s: the next one finds it whole', async (_, killsGit) => {
  const { worktree, open } = await slowWorktree();
  const compiled = join(compileFixtures(), '../../../src/worktree/ensure.js');
  const code = 'await (await import(process.argv[1])).ensureWorktree(JSON.parse(process.argv[2]))';
  const args = ['--input-type=module', '--eval', code, compiled, JSON.stringify(worktree)];
  const maker = spawn(process.execPath, args, { env, stdio: 'ignore' });
  const record = join(dirname(worktree.path), '.plan-1.git');
  await until('it is half made', () => existsSync(join(worktree.path, 'f')) && existsSync(record));
  // The number alone may be given to the next file.
  const file = () => {
    const { ino, birthtimeMs } = statSync(join(worktree.path, 'f'));
    return `${ino}@${birthtimeMs}`;
  };
  const made = file();
  maker.kill('SIGKILL');
  await once(maker, 'exit');
  if (killsGit) process.kill(JSON.parse(readFileSync(record, 'utf8')).pid, 'SIGKILL');
  const lock = `${dirname(worktree.path)}.lock`;
  const left = statSync(lock).mtimeMs;
  const next = ensureWorktree(worktree, { env });
  await until('it has taken the lock over', () => existsSync(lock) && statSync(lock).mtimeMs > left + 3_000);
  open();
  await next;
  // A Git that goes on is not met half-way: what it made is taken.
  expect(file() === made).toBe(!killsGit);
  expect(standing(worktree.path)).toEqual({ head: worktree.base, branch: worktree.branch, status: '' });
  expect(readFileSync(join(worktree.path, 'slow'), 'utf8')).toBe('slow\n');
  expect(git(worktree.repository, 'worktree', 'list').split('\n')).toHaveLength(2);
});
