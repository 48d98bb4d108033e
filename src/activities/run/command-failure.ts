import { TaskFailure } from '../kind.ts';
import { firstCharacters } from './characters.ts';

/** A command that ended with another code than 0, told by the last line of its error output. */
export function commandFailure(code: number, stderr: string): TaskFailure {
  const last = firstCharacters(stderr.trimEnd().split('\n').at(-1)!.trim(), 300);
  return new TaskFailure(`exit code ${code}${last ? `: ${last}` : ''}`, { details: { exit_code: code, stderr } });
}
