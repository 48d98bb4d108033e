import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** The Temporal CLI this release is built and tested with, and the server inside it. */
export const TEMPORAL_CLI_VERSION = '1.5.1';
const OLDEST_SERVER = [1, 29] as const;

/** Runs `temporal --version`; throws with the reason when the program is not a Temporal CLI or does not run. */
export async function checkTemporal(program: string): Promise<string> {
  if (!isExecutable(program)) throw new Error(`${program} is not an executable file`);
  const { stdout } = await promisify(execFile)(program, ['--version'], { timeout: 20_000, killSignal: 'SIGKILL' });
  const line = stdout.trim().split('\n')[0] ?? '';
  if (!line.startsWith('temporal version')) throw new Error(`${program} --version says "${line.slice(0, 80)}"`);
  return line;
}

/** As `checkTemporal`, for a program nobody named on purpose: an old server would lack what plans rely on. */
export async function checkRecentTemporal(program: string): Promise<string> {
  const line = await checkTemporal(program);
  const [, major, minor] = /Server (\d+)\.(\d+)/.exec(line)?.map(Number) ?? [];
  if (major === undefined || minor === undefined)
    throw new Error(`${program} does not say which server it has: ${line}`);
  const isOld = major < OLDEST_SERVER[0] || (major === OLDEST_SERVER[0] && minor < OLDEST_SERVER[1]);
  if (isOld) throw new Error(`${program} has server ${major}.${minor}; ${OLDEST_SERVER.join('.')} or later is needed`);
  return line;
}

export function findOnPath(name: string, path: string | undefined): string | undefined {
  const folders = (path ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
