import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Stands between a worker and a command, as leader of the command's process group. It holds a pipe from its worker on
 * descriptor 3: at its end (the worker died) or after $1 seconds of silence on it (the worker is frozen) the whole group
 * gets TERM, and KILL $2 seconds later. When the command ends, what it left running in the group gets TERM, and the guard
 * ends with the command's exit code. $3 is the shell, $4 the script.
 */
export const GUARD = `
trap : TERM INT HUP
"$3" -e "$4" 3<&- &
command=$!
exec >/dev/null 2>&1
{
  trap : TERM INT HUP
  while IFS= read -r -t "$1" _ <&3; do :; done
  kill -TERM -- -$$
  sleep "$2"
  kill -KILL -- -$$
} &
watcher=$!
code=0
while :; do
  wait "$command"
  code=$?
  kill -0 "$command" || break
done
kill -KILL "$watcher"
wait "$watcher"
kill -TERM -- -$$
exit "$code"
`;

/** The absolute path of bash, found on this process's own PATH: a task's env may name another, or none. */
export function findShell(path = process.env.PATH ?? '/usr/bin:/bin'): string {
  const found = path.split(delimiter).find((folder) => isExecutable(join(folder, 'bash')));
  if (found === undefined) throw new Error('tasks of kind run need bash, and there is none on PATH');
  return join(found, 'bash');
}

/** Whether this process may run the file. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
