import { lstat, mkdir, open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { activityId } from '../../contract/names.ts';

/** What tells the log of one attempt from all others of its plan. */
export interface LogRef {
  run: number;
  task: string;
  attempt: number;
  dispatch: number;
  /** 2 and up: a sub-plan or a map was tried again in the same run, and its tasks' attempts are counted anew. */
  again?: number;
}

/** Runs of builds that wrote the logs of all runs into one folder. */
export const OLD_RUN = 1;

export const logFolder = (planFolder: string): string => join(planFolder, 'logs');
export const runFolder = (planFolder: string, run: number): string => join(logFolder(planFolder), `run-${run}`);

/** Ids have no dot, so with their slashes as dots they stay different. */
export const logName = ({ task, attempt, dispatch, again }: Omit<LogRef, 'run'>): string =>
  `${activityId(task.replaceAll('/', '.'), attempt, dispatch)}${again ? `-${again}` : ''}`;

/** The attempt whose log has this name; undefined when it is no log. */
export function readLogName(name: string): Omit<LogRef, 'run'> | undefined {
  const [, task, attempt, dispatch, again] = /^([^#]+)#(\d+)\.(\d+)(?:-(\d+))?\.log$/.exec(name) ?? [];
  if (task === undefined) return undefined;
  return {
    task: task.replaceAll('.', '/'),
    attempt: Number(attempt),
    dispatch: Number(dispatch),
    ...(again && { again: Number(again) }),
  };
}

/** Makes the empty log of an attempt that begins; gives its path without the ending. An earlier log is never written over. */
export async function beginLog(planFolder: string, attempt: Omit<LogRef, 'again'>): Promise<string> {
  const folder = runFolder(planFolder, attempt.run);
  await mkdir(folder, { recursive: true });
  for (let again = 1; ; again++) {
    const path = join(folder, logName({ ...attempt, ...(again > 1 && { again }) }));
    if (await isNew(`${path}.log`)) return path;
  }
}

/**
 * Where an attempt has its script, without the ending. Named like its log, which is its own: attempts of the run before, or of
 * a plan that was reset, may not have ended yet.
 */
export async function scriptPath(planFolder: string, log: string): Promise<string> {
  const folder = join(planFolder, 'scripts');
  await mkdir(folder, { recursive: true });
  return join(folder, `${basename(dirname(log))}.${basename(log)}`);
}

async function isNew(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // What is no file, such as a pipe, has nothing in it that could be lost.
    return !(await lstat(path)).isFile();
  }
}
