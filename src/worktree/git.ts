import { execFile } from 'node:child_process';

/** What Git did not do, with what it said. */
export class GitFailed extends Error {
  override readonly name = 'GitFailed';
}

export interface GitOptions {
  /** Environment to take PATH, HOME and the like from. Variables of Git's own in it are not passed on. */
  env?: NodeJS.ProcessEnv | undefined;
  /** Told which process it is, once it runs. */
  onStart?: (pid: number) => void;
}

/** Above every repository, so that where Git runs does not depend on where this process was started. */
const ANYWHERE = '/';
/** Hooks of the repository are for its people: one that fails or asks is not to keep a worktree from being made. */
const NO_HOOKS = ['-c', 'core.hooksPath=/dev/null'];
const MOST_OUTPUT_BYTES = 256 * 1_024 * 1_024;

/** Runs Git in a directory, never through a shell; gives what it writes, without the last line break. */
export async function git(directory: string, args: readonly string[], options: GitOptions = {}): Promise<string> {
  const { env = process.env, onStart } = options;
  return await new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      [...NO_HOOKS, '-C', directory, ...args],
      { cwd: ANYWHERE, env: environmentOf(env), maxBuffer: MOST_OUTPUT_BYTES },
      (error, stdout, stderr) => {
        if (!error) resolve(stdout.replace(/\r?\n$/, ''));
        else reject(new GitFailed(inWords(error, args, stderr), { cause: error }));
      },
    );
    child.stdin?.end();
    if (child.pid !== undefined) onStart?.(child.pid);
  });
}

/** The same; undefined when Git answers no. */
export const gitOrNot = (
  directory: string,
  args: readonly string[],
  options?: GitOptions,
): Promise<string | undefined> =>
  git(directory, args, options).catch((error: unknown) => {
    if (error instanceof GitFailed && !isMissing(error)) return undefined;
    throw error;
  });

/** GIT_DIR, GIT_INDEX_FILE and their like would lead elsewhere: who runs Holdpoint from a hook has them. */
function environmentOf(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('GIT_'));
  return {
    PATH: process.env.PATH,
    ...Object.fromEntries(kept),
    // Its messages are read, and nobody is there to be asked.
    LC_ALL: 'C',
    LANGUAGE: '',
    GIT_TERMINAL_PROMPT: '0',
  };
}

const isMissing = ({ cause }: GitFailed): boolean => (cause as NodeJS.ErrnoException).code === 'ENOENT';

function inWords(error: Error, args: readonly string[], stderr: string): string {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT')
    return 'git is not on PATH; worktrees need it: install Git, or leave out `worktree`';
  const said = stderr.trim().split('\n').slice(-3).join(' ') || error.message;
  return `git ${args.slice(0, 2).join(' ')}: ${said}`;
}
