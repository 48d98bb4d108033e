import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Worktree } from '../../src/contract/payloads.ts';
import { ensureWorktree as ensure } from '../../src/worktree/ensure.ts';
import { removeWorktree } from '../../src/worktree/remove.ts';
import { worktreeStanding } from '../../src/worktree/standing.ts';
import { commit, env, git, newWorktree, standing } from './repositories.ts';

const ensureWorktree = (worktree: Worktree) => ensure(worktree, { env });
const remove = (worktree: Worktree) => removeWorktree(worktree, { env });
const branches = ({ repository }: Worktree) =>
  git(repository, 'for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n');

interface Case {
  is: string;
  before(worktree: Worktree): void;
  removed: ('worktree' | 'branch')[];
  kept?: RegExp;
}
const CASES: Case[] = [
  { is: 'has no commit', before() {}, removed: ['worktree', 'branch'] },
  {
    is: 'has ignored files alone',
    before({ path }) {
      mkdirSync(join(path, 'ignored'));
      writeFileSync(join(path, 'ignored/x'), 'x');
    },
    removed: ['worktree', 'branch'],
  },
  {
    is: 'was merged',
    before({ path, repository, branch }) {
      commit(path, 'mine');
      git(repository, 'merge', '--quiet', '--no-ff', branch);
    },
    removed: ['worktree', 'branch'],
  },
  {
    is: 'is on another branch, too',
    before({ path, repository, branch }) {
      commit(path, 'mine');
      git(repository, 'branch', 'copy', branch);
    },
    removed: ['worktree', 'branch'],
  },
  {
    is: 'has commits of its own',
    before({ path }) {
      commit(path, 'one');
      commit(path, 'two');
    },
    removed: ['worktree'],
    kept: /^holdpoint\/plan-1: 2 commits are on no other branch; merge it \(git merge holdpoint\/plan-1\)/,
  },
  {
    is: 'has a changed file',
    before: ({ path }) => writeFileSync(join(path, 'f'), 'changed'),
    removed: [],
    kept: /plan-1: 1 file in it not committed; commit or remove them first$/,
  },
  {
    is: 'has new files in a new folder, and a deleted one',
    before({ path }) {
      mkdirSync(join(path, 'new'));
      writeFileSync(join(path, 'new/a'), 'a');
      writeFileSync(join(path, 'new/b'), 'b');
      rmSync(join(path, 'f'));
    },
    removed: [],
    kept: /plan-1: 3 files in it not committed/,
  },
  {
    is: 'has a commit on no branch',
    before({ path }) {
      git(path, 'checkout', '--quiet', '--detach');
      commit(path, 'loose');
    },
    removed: [],
    kept: /plan-1: 1 commit is in it on no branch; give them one first: git -C .* switch -c NAME$/,
  },
  {
    is: 'was locked by somebody',
    before: ({ path, repository }) => void git(repository, 'worktree', 'lock', path),
    removed: [],
    kept: /^git worktree remove: .*locked/,
  },
  {
    is: 'was replaced',
    before({ path }) {
      rmSync(path, { recursive: true });
      mkdirSync(path);
      writeFileSync(join(path, 'x'), 'x');
    },
    removed: [],
    kept: /plan-1: it was replaced by a directory that is no worktree$/,
  },
  {
    is: 'was unregistered',
    before: ({ path }) => rmSync(git(path, 'rev-parse', '--absolute-git-dir'), { recursive: true }),
    removed: [],
    kept: /plan-1: its repository does not know it any more/,
  },
  {
    is: 'was deleted, its branch merged',
    before({ path, repository, branch }) {
      commit(path, 'mine');
      git(repository, 'merge', '--quiet', '--no-ff', branch);
      git(repository, 'worktree', 'remove', path);
    },
    removed: ['branch'],
  },
  {
    is: 'was deleted, and its branch is checked out',
    before({ path, repository, branch }) {
      git(repository, 'worktree', 'remove', path);
      git(repository, 'checkout', '--quiet', branch);
    },
    removed: [],
    kept: /^holdpoint\/plan-1: it is checked out/,
  },
  {
    is: 'is of a repository that is gone',
    before: ({ repository }) => renameSync(repository, `${repository}-moved`),
    removed: [],
    kept: /^the repository of the plan's worktree is gone/,
  },
];

test.each(CASES)('one that $is', async ({ before, removed, kept }) => {
  const worktree = await newWorktree();
  await ensureWorktree(worktree);
  before(worktree);
  const had = existsSync(worktree.path);
  const removal = await remove(worktree);
  expect(removal.removed).toEqual(removed);
  expect(removal.kept.map(({ why }) => why)).toEqual(kept ? [expect.stringMatching(kept)] : []);
  expect(existsSync(worktree.path)).toBe(had && !removed.includes('worktree'));
  if (existsSync(worktree.repository))
    expect(branches(worktree).includes(worktree.branch)).toBe(!removed.includes('branch'));
});

test('what others have there is no part of it', async () => {
  const worktree = await newWorktree();
  await ensureWorktree(worktree);
  const theirs = join(dirname(worktree.path), 'theirs');
  git(worktree.repository, 'worktree', 'add', '--quiet', theirs);
  await remove(worktree);
  expect(branches(worktree)).toEqual(['main', 'theirs']);
  expect(standing(theirs)).toMatchObject({ branch: 'theirs', status: '' });
});

test.each([
  ['without a commit', (_: Worktree) => undefined],
  [
    'whose branch was merged',
    ({ path, repository, branch }: Worktree) => {
      commit(path, 'mine');
      git(repository, 'merge', '--quiet', '--no-ff', branch);
      return git(repository, 'rev-parse', branch);
    },
  ],
])('one %s that was cleaned up is made again where it was', async (_, work) => {
  const worktree = await newWorktree();
  await ensureWorktree(worktree);
  const tip = work(worktree) ?? worktree.base;
  expect((await remove(worktree)).removed).toEqual(['worktree', 'branch']);
  await ensureWorktree(worktree);
  expect(standing(worktree.path)).toEqual({ head: tip, branch: worktree.branch, status: '' });
});

test('how it stands is told', async () => {
  const worktree = await newWorktree();
  const told = () => worktreeStanding(worktree, { env });
  const nothing = { exists: false, branch: null, commits_ahead: null, uncommitted_files: null };
  expect(await told()).toEqual(nothing);
  await ensureWorktree(worktree);
  expect(await told()).toEqual({ exists: true, branch: worktree.branch, commits_ahead: 0, uncommitted_files: 0 });
  commit(worktree.path, 'mine');
  writeFileSync(join(worktree.path, 'new'), 'new');
  expect(await told()).toEqual({ exists: true, branch: worktree.branch, commits_ahead: 1, uncommitted_files: 1 });
  git(worktree.path, 'checkout', '--quiet', '--detach');
  expect(await told()).toMatchObject({ exists: true, branch: null, commits_ahead: 1 });
  rmSync(worktree.path, { recursive: true });
  expect(await told()).toEqual({ ...nothing, branch: worktree.branch, commits_ahead: 1 });
  writeFileSync(worktree.path, 'x');
  expect(await told()).toMatchObject({ exists: false, problem: `${worktree.path} was replaced by a file` });
});
