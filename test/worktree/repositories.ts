import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordPlace } from '../../src/service/place.ts';
import { originOf, placeIn } from '../../src/worktree/origin.ts';
import { tempDir } from '../support/world.ts';

/** Nobody's settings but these. */
const HOME = tempDir('git-home');
writeFileSync(
  join(HOME, '.gitconfig'),
  '[user]\n\tname = Tester\n\temail = tester@example.org\n[init]\n\tdefaultBranch = main\n',
);
export const env: NodeJS.ProcessEnv = { ...process.env, HOME, XDG_CONFIG_HOME: HOME, GIT_CONFIG_NOSYSTEM: '1' };

export const git = (directory: string, ...args: string[]): string =>
  execFileSync('git', ['-C', directory, ...args], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

/** Writes a file, and commits it. */
export function commit(directory: string, file: string, text = `${file}\n`): string {
  writeFileSync(join(directory, file), text);
  git(directory, 'add', '--all');
  git(directory, 'commit', '--quiet', '--message', file);
  return git(directory, 'rev-parse', 'HEAD');
}

/** One with a commit, in a folder of this name. */
export function newRepository(name = 'app'): string {
  const path = join(tempDir('repository'), name);
  mkdirSync(join(path, 'docs'), { recursive: true });
  git(path, 'init', '--quiet');
  writeFileSync(join(path, 'docs', 'index.md'), 'docs\n');
  writeFileSync(join(path, '.gitignore'), 'ignored/\n');
  commit(path, 'f', 'first\n');
  return path;
}

export const placeOf = (directory: string) => recordPlace(env, directory);

/** A repository, and the worktree that a plan of it would have. */
export async function newWorktree(name = 'plan-1') {
  const repository = newRepository();
  const place = placeOf(repository);
  const { worktree } = placeIn(await originOf(place, join(tempDir('home'), 'worktrees')), place, name);
  return { ...worktree!, head: git(repository, 'rev-parse', 'HEAD') };
}

/** What a checkout is at, as its user sees it. */
export const standing = (directory: string) => ({
  head: git(directory, 'rev-parse', 'HEAD'),
  branch: git(directory, 'rev-parse', '--abbrev-ref', 'HEAD'),
  status: git(directory, 'status', '--porcelain'),
});
