import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readRecord } from '../home/home-lock.ts';
import { ProcessIdentity } from '../home/process-identity.ts';

/** One running attempt, as the record on disk tells a later engine. */
const attemptRecord = z.object({
  workflow_id: z.string().min(1),
  run_id: z.string().min(1),
  activity_id: z.string().min(1),
  worker: ProcessIdentity,
  /** Process group of its command, once it has one. */
  group: z.int().min(2).optional(),
  /** Another dispatch goes on behind what it has done. */
  kept: z.literal(true).optional(),
});
export type AttemptRecord = z.infer<typeof attemptRecord>;

type Named = Omit<AttemptRecord, 'worker' | 'group' | 'kept'>;

export interface RunningAttempts {
  begin(attempt: Named): Promise<{ inGroup(group: number): void; hasKept(): void; end(): void }>;
}

/** Past its report to Temporal a record does no harm; before, its loss would cost a heartbeat time-out. */
const KEPT_AFTER_END_MS = 2_000;

/** Keeps one small file per running attempt, so that what a dead worker left behind is known without waiting. */
export function recordRunningAttempts(folder: string, worker: ProcessIdentity): RunningAttempts {
  return {
    async begin(attempt) {
      const path = join(folder, `${nameOf(attempt)}.json`);
      const write = (record: AttemptRecord) => writeFile(path, JSON.stringify(record), { mode: 0o600 });
      const save = (record: AttemptRecord) =>
        write(record).catch(async (error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error;
          await mkdir(folder, { recursive: true });
          await write(record);
        });
      let now: AttemptRecord = { ...attempt, worker };
      let saved = save(now);
      await saved;
      const change = (more: Pick<AttemptRecord, 'group' | 'kept'>) => {
        now = { ...now, ...more };
        const next = now;
        saved = saved.then(() => save(next)).catch(() => {});
      };
      return {
        inGroup: (group) => change({ group }),
        hasKept() {
          if (!now.kept) change({ kept: true });
        },
        end() {
          setTimeout(() => void saved.then(() => rm(path, { force: true })), KEPT_AFTER_END_MS).unref();
        },
      };
    },
  };
}

/** The attempts on record. A file that holds none, half-written or hand-made, is removed: it can tell nobody anything. */
export async function readAttempts(folder: string): Promise<{ path: string; record: AttemptRecord }[]> {
  const names = await readdir(folder).catch(() => [] as string[]);
  const read = async (name: string) => {
    const path = join(folder, name);
    const record = readRecord(path, attemptRecord);
    if (record) return [{ path, record }];
    await rm(path, { force: true, recursive: true });
    return [];
  };
  return (await Promise.all(names.filter((name) => name.endsWith('.json')).map(read))).flat();
}

const nameOf = ({ workflow_id, run_id, activity_id }: Named): string =>
  createHash('sha256').update(`${workflow_id}\n${run_id}\n${activity_id}`).digest('hex').slice(0, 32);
