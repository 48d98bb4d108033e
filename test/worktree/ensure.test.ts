import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Worktree } from '../../src/contract/payloads.ts';
import { ensureWorktree as ensure } from '../../src/worktree/ensure.ts';
import { WorktreeRefused } from '../../src/worktree/refused.ts';
import { tempDir } from '../support/world.ts';
import { compileFixtures } from '../temporal/compiled.ts';
import { commit, env, git, newRepository, newWorktree, standing } from './repositories.ts';

const ensureWorktree = (worktree: Worktree) => ensure(worktree, { env });
const registrationOf = (path: string) => git(path, 'rev-parse', '--absolute-git-dir');
const refusal = async (worktree: Worktree): Promise<string> => {
  const thrown = await ensureWorktree(worktree).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(WorktreeRefused);
  return (thrown as Error).message;
};

test('a worktree is made from its base, and made no second time', async () => {
  const worktree = await newWorktree();
  await ensureWorktree(worktree);
  expect(standing(worktree.path)).toEqual({ head: worktree.base, branch: 'holdpoint/plan-1', status: '' });
  const made = commit(worktree.path, 'mine');
  writeFileSync(join(worktree.path, 'f'), 'not committed\n');
  await ensureWorktree(worktree);
  expect(standing(worktree.path)).toEqual({ head: made, branch: 'holdpoint/plan-1', status: 'M f' });
  expect(standing(worktree.repository)).toEqual({ head: worktree.head, branch: 'main', status: '' });
});

test('many ask at once, in several processes, and there is one worktree', async () => {
  const worktree = await newWorktree();
  const compiled = join(compileFixtures(), '../../../src/worktree/ensure.js');
  const code = `
    const { ensureWorktree } = await import(process.argv[1]);
    await Promise.all(Array.from({ length: 5 }, () => ensureWorktree(JSON.parse(process.argv[2]))));
  `;
  const ends = [1, 2, 3].map(async () => {
    const args = ['--input-type=module', '--eval', code, compiled, JSON.stringify(worktree)];
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (chunk) => (errors += chunk));
    const [exit] = await once(child, 'close');
    return exit === 0 ? 'done' : errors;
  });
  expect(await Promise.all(ends)).toEqual(['done', 'done', 'done']);
  expect(git(worktree.repository, 'worktree', 'list').split('\n')).toHaveLength(2);
  expect(standing(worktree.path)).toMatchObject({ branch: 'holdpoint/plan-1', status: '' });
});

/** What happens to a worktree in which something was committed; it is as it was afterwards. */
const SPOILT: [string, (worktree: Worktree) => void][] = [
  ['deleted', ({ path }) => rmSync(path, { recursive: true })],
  [
    'deleted and pruned',
    ({ path, repository }) => {
      rmSync(path, { recursive: true });
      git(repository, 'worktree', 'prune');
    },
  ],
  ['removed by Git', ({ path, repository }) => void git(repository, 'worktree', 'remove', path)],
  [
    'replaced by an empty directory',
    ({ path }) => {
      rmSync(path, { recursive: true });
      mkdirSync(path);
    },
  ],
  ['unregistered', ({ path }) => rmSync(registrationOf(path), { recursive: true })],
  [
    'deleted, with all that was beside it',
    ({ path, repository }) => {
      rmSync(dirname(path), { recursive: true });
      git(repository, 'worktree', 'prune');
    },
  ],
  [
    'half made by a Git that was killed',
    ({ path }) => {
      rmSync(join(registrationOf(path), 'holdpoint-branch'));
      writeFileSync(join(registrationOf(path), 'locked'), 'initializing');
      rmSync(join(path, 'docs'), { recursive: true });
    },
  ],
  ['without its mark', ({ path }) => rmSync(join(registrationOf(path), 'holdpoint-branch'))],
];

test.each(SPOILT)('one that was %s is there again, with its commits', async (_, spoil) => {
  const worktree = await newWorktree();
  await ensureWorktree(worktree);
  const made = commit(worktree.path, 'mine');
  spoil(worktree);
  await ensureWorktree(worktree);
  expect(standing(worktree.path)).toEqual({ head: made, branch: 'holdpoint/plan-1', status: '' });
  expect(standing(worktree.repository)).toEqual({ head: worktree.head, branch: 'main', status: '' });
  expect(git(worktree.repository, 'worktree', 'list').split('\n')).toHaveLength(2);
  // It stays as it is.
  writeFileSync(join(worktree.path, 'f'), 'not committed\n');
  await ensureWorktree(worktree);
  expect(standing(worktree.path)).toEqual({ head: made, branch: 'holdpoint/plan-1', status: 'M f' });
});

test('what is not committed in one that its repository forgot stays so', async () => {
  const worktree = await newWorktree();
  await ensureWorktree(worktree);
  commit(worktree.path, 'mine');
  writeFileSync(join(worktree.path, 'f'), 'changed\n');
  writeFileSync(join(worktree.path, 'new'), 'new\n');
  rmSync(join(worktree.path, 'docs'), { recursive: true });
  rmSync(registrationOf(worktree.path), { recursive: true });
  await ensureWorktree(worktree);
  expect(git(worktree.path, 'status', '--porcelain').split('\n').sort()).toEqual([' M f', '?? new', 'D docs/index.md']);
  expect(readFileSync(join(worktree.path, 'f'), 'utf8')).toBe('changed\n');
});

describe('leftovers of a crash before the worktree was there', () => {
  test('a branch without a directory', async () => {
    const worktree = await newWorktree();
    git(worktree.repository, 'branch', worktree.branch, worktree.base);
    await ensureWorktree(worktree);
    expect(standing(worktree.path)).toMatchObject({ branch: worktree.branch, status: '' });
  });

  test('another branch that only has the name is refused', async () => {
    const worktree = await newWorktree();
    git(worktree.repository, 'checkout', '--quiet', '--orphan', worktree.branch);
    commit(worktree.repository, 'other');
    git(worktree.repository, 'checkout', '--quiet', 'main');
    expect(await refusal(worktree)).toBe(
      `the branch holdpoint/plan-1 of ${worktree.repository} does not come from ${worktree.base}, which the worktree ${worktree.path} began from; rename it: git branch -m holdpoint/plan-1 NAME`,
    );
  });

  test('a lock of a process that is gone', async () => {
    const worktree = await newWorktree();
    mkdirSync(dirname(worktree.path), { recursive: true });
    const lock = `${dirname(worktree.path)}.lock`;
    mkdirSync(lock);
    utimesSync(lock, 1, 1);
    await ensureWorktree(worktree);
    expect(standing(worktree.path)).toMatchObject({ branch: worktree.branch });
  });
});

describe('index.lock', () => {
  test.each([
    ['index.lock', (path: string) => join(registrationOf(path), 'index.lock')],
    ['HEAD.lock', (path: string) => join(registrationOf(path), 'HEAD.lock')],
    ['the lock of its branch', (path: string) => join(registrationOf(path), '../../refs/heads/holdpoint/plan-1.lock')],
  ])('%s of a Git that was killed does not block', async (_, lockOf) => {
    const worktree = await newWorktree();
    await ensureWorktree(worktree);
    writeFileSync(lockOf(worktree.path), '');
    expect(() => commit(worktree.path, 'mine')).toThrow(/\.lock/);
    await ensureWorktree(worktree);
    expect(commit(worktree.path, 'mine')).toBe(git(worktree.repository, 'rev-parse', worktree.branch));
  });

  test('stays while a Git works in the worktree', async () => {
    const worktree = await newWorktree();
    await ensureWorktree(worktree);
    const lock = join(registrationOf(worktree.path), 'index.lock');
    writeFileSync(lock, '');
    utimesSync(lock, 1, 1);
    // It reads what never comes.
    const atWork = spawn('git', ['hash-object', '--stdin'], {
      cwd: worktree.path,
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    await once(atWork, 'spawn');
    await ensureWorktree(worktree);
    expect(existsSync(lock)).toBe(true);
    atWork.stdin.end();
    await once(atWork, 'close');
    await ensureWorktree(worktree);
    expect(existsSync(lock)).toBe(false);
  });
});

/** What stands in its place, and the words for that. */
const REPLACED: [string, (path: string, worktree: Worktree) => void, string | RegExp][] = [
  [
    'a plain directory with files',
    (path) => {
      mkdirSync(path);
      writeFileSync(join(path, 'f'), 'x');
    },
    'a directory that is no worktree',
  ],
  ['a file', (path) => writeFileSync(path, 'x'), 'a file'],
  ['a link to another directory', (path) => symlinkSync(tempDir('elsewhere'), path), 'a symbolic link'],
  ['another repository', (path) => cpSync(newRepository(), path, { recursive: true }), 'another repository'],
  [
    'a worktree of another repository',
    (path) => void git(newRepository(), 'worktree', 'add', '--quiet', path),
    /^a worktree of another repository \(.*\.git\/worktrees\/plan-1\)$/,
  ],
  [
    'a worktree of another branch',
    (path, { repository }) => {
      git(repository, 'worktree', 'prune');
      git(repository, 'worktree', 'add', '--quiet', '-b', 'other', path);
    },
    'a worktree that somebody made of branch other',
  ],
  [
    'a copy of a worktree of another branch',
    (path, { repository }) => {
      const other = join(tempDir('elsewhere'), 'other');
      git(repository, 'worktree', 'add', '--quiet', '-b', 'other', other);
      cpSync(other, path, { recursive: true });
    },
    /^a copy of the worktree .*other$/,
  ],
];

test.each(REPLACED)('%s in its place is refused by name, and left as it is', async (_, replace, by) => {
  const worktree = await newWorktree();
  await ensureWorktree(worktree);
  const made = commit(worktree.path, 'mine');
  const away = join(tempDir('away'), 'worktree');
  renameSync(worktree.path, away);
  replace(worktree.path, worktree);
  const before = execFileSync('ls', ['-laR', worktree.path], { encoding: 'utf8' });
  const message = await refusal(worktree);
  const [, told] = message.match(
    /^the worktree .*\/plan-1 of the plan was replaced by (.*); move that away, and resume: /,
  )!;
  expect(told).toEqual(typeof by === 'string' ? by : expect.stringMatching(by));
  expect(message).toContain(worktree.path);
  expect(execFileSync('ls', ['-laR', worktree.path], { encoding: 'utf8' })).toBe(before);
  // As the message says.
  renameSync(worktree.path, `${away}-other`);
  git(worktree.repository, 'worktree', 'prune');
  await ensureWorktree(worktree);
  expect(standing(worktree.path)).toMatchObject({ head: made, branch: worktree.branch });
});

describe('branches', () => {
  test('somebody switched to another one in the worktree: it stays so', async () => {
    const worktree = await newWorktree();
    await ensureWorktree(worktree);
    git(worktree.path, 'switch', '--quiet', '--create', 'theirs');
    await ensureWorktree(worktree);
    expect(standing(worktree.path).branch).toBe('theirs');
  });

  test('one that is gone with its work is refused by name, and the message says how to go on', async () => {
    const worktree = await newWorktree();
    await ensureWorktree(worktree);
    commit(worktree.path, 'mine');
    git(worktree.repository, 'worktree', 'remove', worktree.path);
    git(worktree.repository, 'branch', '--quiet', '-D', worktree.branch);
    const message = await refusal(worktree);
    expect(message).toMatch(/^the branch holdpoint\/plan-1 of the plan is gone from /);
    const [, command] = message.match(/begin it again: git (.*)$/)!;
    git(worktree.repository, ...command!.split(' '));
    await ensureWorktree(worktree);
    expect(standing(worktree.path)).toMatchObject({ head: worktree.base, branch: worktree.branch });
  });

  test.each([
    [
      'the main checkout',
      ({ repository, branch }: Worktree) => {
        git(repository, 'checkout', '--quiet', branch);
        return repository;
      },
    ],
    [
      'another worktree',
      ({ repository, branch }: Worktree) => {
        const other = join(tempDir('elsewhere'), 'other');
        git(repository, 'worktree', 'add', '--quiet', other, branch);
        return other;
      },
    ],
  ])('one that %s is on is refused by name', async (_, take) => {
    const worktree = await newWorktree();
    await ensureWorktree(worktree);
    git(worktree.repository, 'worktree', 'remove', worktree.path);
    const at = take(worktree);
    expect(await refusal(worktree)).toBe(
      `the branch holdpoint/plan-1 of the plan is checked out at ${at}, so that its worktree ${worktree.path} cannot be made from it; switch to another branch there`,
    );
  });
});

test('a lock that somebody put on a worktree is theirs', async () => {
  const worktree = await newWorktree();
  await ensureWorktree(worktree);
  git(worktree.repository, 'worktree', 'lock', '--reason', 'on a stick', worktree.path);
  rmSync(worktree.path, { recursive: true });
  expect(await refusal(worktree)).toContain('is gone, and locked (on a stick); bring it back, or unlock it: git');
  git(worktree.repository, 'worktree', 'unlock', worktree.path);
  await ensureWorktree(worktree);
  expect(standing(worktree.path)).toMatchObject({ branch: worktree.branch });
});

test('a repository that is gone is named', async () => {
  const worktree = await newWorktree();
  await ensureWorktree(worktree);
  renameSync(worktree.repository, `${worktree.repository}-moved`);
  expect(await refusal(worktree)).toBe(
    `the repository of the plan's worktree is gone: ${worktree.repository}; put it back, or move it back there`,
  );
});

test('neither hooks nor variables of Git keep it from being made, or lead it elsewhere', async () => {
  const worktree = await newWorktree();
  const hook = join(worktree.repository, '.git/hooks/post-checkout');
  writeFileSync(hook, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const other = newRepository();
  await ensure(worktree, {
    env: { ...env, GIT_DIR: join(other, '.git'), GIT_WORK_TREE: other, GIT_INDEX_FILE: join(other, '.git/index') },
  });
  expect(standing(worktree.path)).toEqual({ head: worktree.base, branch: worktree.branch, status: '' });
  expect(git(other, 'worktree', 'list').split('\n')).toHaveLength(1);
});

test('without Git it says so', async () => {
  const worktree = await newWorktree();
  await expect(ensure(worktree, { env: { ...env, PATH: tempDir('empty') } })).rejects.toThrow(
    'git is not on PATH; worktrees need it: install Git',
  );
});
