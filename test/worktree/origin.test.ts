import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freeName, originOf, placeIn } from '../../src/worktree/origin.ts';
import { WorktreeRefused } from '../../src/worktree/refused.ts';
import { tempDir } from '../support/world.ts';
import { commit, git, newRepository, placeOf } from './repositories.ts';

const WORKTREES = '/home/worktrees';
const origin = (directory: string) => originOf(placeOf(directory), WORKTREES);
const refusal = async (asked: Promise<unknown>): Promise<string> => {
  const thrown = await asked.catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(WorktreeRefused);
  return (thrown as Error).message;
};

test('a worktree is named after its repository and plan; commands run where the caller is', async () => {
  const repository = newRepository();
  const directory = join(repository, 'docs');
  const place = placeIn(await origin(directory), placeOf(directory), 'plan-1');
  expect(place).toEqual({
    env: placeOf(directory).env,
    directory: join(place.worktree!.path, 'docs'),
    worktree: {
      repository,
      path: expect.stringMatching(/^\/home\/worktrees\/app-[0-9a-f]{8}\/plan-1$/),
      branch: 'holdpoint/plan-1',
      base: git(repository, 'rev-parse', 'HEAD'),
    },
  });
});

test('two repositories of one folder name have folders of their own', async () => {
  const [one, other] = await Promise.all([origin(newRepository()), origin(newRepository())]);
  expect(one.folder).not.toBe(other.folder);
});

test('from a branch, from a commit and from another worktree it begins at what is checked out there', async () => {
  const repository = newRepository();
  const first = git(repository, 'rev-parse', 'HEAD');
  git(repository, 'switch', '--quiet', '--create', 'topic');
  const second = commit(repository, 'second');
  expect(await origin(repository)).toMatchObject({ repository, base: second });
  git(repository, 'checkout', '--quiet', first);
  expect(await origin(repository)).toMatchObject({ repository, base: first });
  const linked = join(tempDir('linked'), 'linked');
  git(repository, 'worktree', 'add', '--quiet', linked, 'topic');
  const third = commit(linked, 'third');
  expect(await origin(join(linked, 'docs'))).toMatchObject({ repository, base: third, inside: 'docs' });
});

describe('refused in words', () => {
  test.each([
    ['no directory', () => undefined, /^the plan was given no directory .*; start it from the command line/],
    ['no repository', () => tempDir('plain'), /^.*plain-.* is in no Git repository .*git init$/],
    [
      'no commit',
      () => {
        const path = tempDir('empty');
        git(path, 'init', '--quiet');
        return path;
      },
      /^the repository .*empty-.* has no commit yet/,
    ],
    [
      'a bare repository',
      () => {
        const path = join(tempDir('bare'), 'bare.git');
        git('/', 'clone', '--quiet', '--bare', newRepository(), path);
        return path;
      },
      /^.*bare\.git is no checkout of its repository/,
    ],
    [
      'a directory that is in no commit',
      () => {
        const path = join(newRepository(), 'scratch');
        mkdirSync(path);
        return path;
      },
      /^the directory scratch is in no commit of /,
    ],
    [
      'a branch in the way',
      () => {
        const path = newRepository();
        git(path, 'branch', 'holdpoint');
        return path;
      },
      /has a branch "holdpoint", beside which .*: git branch -m holdpoint NAME$/,
    ],
  ])('%s', async (_, directory, message) => {
    const { directory: __, ...place } = placeOf('');
    const at = directory();
    expect(await refusal(originOf(at === undefined ? place : { ...place, directory: at }, WORKTREES))).toMatch(message);
  });

  test('no Git', async () => {
    const place = { ...placeOf(newRepository()), env: { ...placeOf('').env, PATH: tempDir('empty') } };
    await expect(originOf(place, WORKTREES)).rejects.toThrow('git is not on PATH; worktrees need it');
  });
});

test('a name that a branch has already gets a number', async () => {
  const repository = newRepository();
  const name = async (wanted: string) => freeName(await origin(repository), placeOf(repository), wanted);
  expect(await name('2026-11-29-0932-release-k3f9')).toBe('2026-11-29-0932-release-k3f9');
  git(repository, 'branch', 'holdpoint/mine');
  git(repository, 'branch', 'holdpoint/mine-2');
  expect(await name('mine')).toBe('mine-3');
});

test.each(['', '../x', '-x', 'a/b', '.x', 'a..b', 'x.', 'x.lock', 'a b', 'a\nb', 'ü', 'x'.repeat(101)])(
  'a session cannot name a branch %j',
  async (wanted) => {
    const repository = newRepository();
    expect(await refusal(freeName(await origin(repository), placeOf(repository), wanted))).toContain(
      'cannot name a branch; use letters',
    );
  },
);
