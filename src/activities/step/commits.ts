import { execFile } from 'node:child_process';
import { TaskFailure } from '../kind.ts';

/** The commit that a directory's repository stands at; undefined before its first one. */
export function headOf(directory: string, env: Record<string, string>): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const options = { cwd: directory, env: { ...env, GIT_OPTIONAL_LOCKS: '0' } };
    execFile('git', ['rev-parse', '--verify', '--quiet', 'HEAD'], options, (error, stdout) => {
      if (!error) return resolve(stdout.trim());
      if (error.code === 1) return resolve(undefined);
      reject(
        new TaskFailure(`commit_required: ${directory} is in no Git repository that can be read`, { final: 'invalid' }),
      );
    });
  });
}
