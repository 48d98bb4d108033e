import { constants, type Dirent } from 'node:fs';
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LOG_HEAD_BYTES, readDropped } from '../run/bounded-log.ts';
import { type LogRef, logFolder, logName, OLD_RUN, readLogName, runFolder } from './attempt-files.ts';
import type { AttemptLog, LogFilter, LogStore } from './log-store.ts';

const PIECE_BYTES = 64 * 1_024;
/** Files looked at at once: a plan may have a hundred thousand. */
const AT_ONCE = 64;

/** Logs as the attempts on this machine write them: in the folders of their plans, by run. */
export function fileLogStore(runs: string): LogStore {
  const folderOf = (planId: string) => {
    if (!/^[0-9a-f-]{36}$/.test(planId)) throw new Error('a plan id is a UUID');
    return join(runs, planId);
  };

  return {
    async list(planId, filter = {}) {
      const found = await Promise.all(
        (await foldersOf(folderOf(planId), filter)).map(({ path, run }) => logsIn(path, run, filter)),
      );
      return found.flat().sort(byBegin);
    },

    async *read(planId, log, from, to) {
      const file = await openLog(folderOf(planId), log);
      try {
        for (let at = from; at < to; ) {
          const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(PIECE_BYTES, to - at)), 0, null, at);
          if (bytesRead === 0) return;
          at += bytesRead;
          yield buffer.subarray(0, bytesRead);
        }
      } finally {
        await file.close();
      }
    },
  };
}

async function foldersOf(planFolder: string, { run }: LogFilter): Promise<{ path: string; run: number }[]> {
  const folder = logFolder(planFolder);
  const runs = (await entriesOf(folder)).flatMap((entry) => {
    const number = entry.isDirectory() ? Number(/^run-(\d+)$/.exec(entry.name)?.[1]) : Number.NaN;
    return Number.isSafeInteger(number) ? [{ path: join(folder, entry.name), run: number }] : [];
  });
  return [{ path: folder, run: OLD_RUN }, ...runs].filter((found) => run === undefined || found.run === run);
}

async function logsIn(path: string, run: number, { task }: LogFilter): Promise<AttemptLog[]> {
  const wanted = (await entriesOf(path)).flatMap((entry) => {
    const log = entry.isFile() ? readLogName(entry.name) : undefined;
    return log && (task === undefined || log.task === task) ? [{ log, path: join(path, entry.name) }] : [];
  });
  const logs: (AttemptLog | undefined)[] = [];
  for (let from = 0; from < wanted.length; from += AT_ONCE)
    logs.push(
      ...(await Promise.all(wanted.slice(from, from + AT_ONCE).map(({ log, path }) => measure({ run, ...log }, path)))),
    );
  return logs.filter((log) => log !== undefined);
}

/** A folder that is not there has nothing in it: nothing has run yet, or not on this machine. */
const entriesOf = (path: string): Promise<Dirent[]> =>
  readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });

async function measure(log: LogRef, path: string): Promise<AttemptLog | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  const { size: bytes, birthtimeMs, ctimeMs, mtime } = found;
  const dropped = bytes > LOG_HEAD_BYTES ? await droppedIn(path) : 0;
  return {
    ...log,
    bytes,
    ...(dropped > 0 && { dropped }),
    // Some file systems do not tell when a file was made.
    started_at: new Date(birthtimeMs || ctimeMs).toISOString(),
    last_output_at: mtime.toISOString(),
  };
}

async function droppedIn(path: string): Promise<number> {
  const file = await openFile(path);
  try {
    return await readDropped(file);
  } finally {
    await file.close();
  }
}

const byBegin = (a: AttemptLog, b: AttemptLog): number =>
  a.run - b.run ||
  a.started_at.localeCompare(b.started_at) ||
  (a.again ?? 1) - (b.again ?? 1) ||
  a.attempt - b.attempt ||
  a.dispatch - b.dispatch;

async function openLog(planFolder: string, log: LogRef): Promise<FileHandle> {
  const name = `${logName(log)}.log`;
  return await openFile(join(runFolder(planFolder, log.run), name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || log.run !== OLD_RUN) throw error;
    return openFile(join(logFolder(planFolder), name));
  });
}

/** Never through a link: a command could leave one that leads out of its plan. */
const openFile = (path: string): Promise<FileHandle> => open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
