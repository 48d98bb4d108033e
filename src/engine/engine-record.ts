import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { readRecord, removeRecord, withHomeLock, writeRecord } from '../home/home-lock.ts';
import { isAlive, type ProcessIdentity } from '../home/process-identity.ts';

const schema = z.object({
  pid: z.number(),
  started: z.string(),
  mode: z.enum(['foreground', 'detached']),
  since: z.string(),
  version: z.string(),
  workflows: z.string(),
  /** What it is doing while it starts; absent once it is ready. */
  progress: z.string().optional(),
  ready: z.boolean(),
  api: z.string().optional(),
  temporal: z.string().optional(),
  namespace: z.string().optional(),
  temporal_ui: z.string().optional(),
});

/** The one engine of a home, as `engine.json` in it tells every other process. */
export type EngineRecord = z.infer<typeof schema>;

export const enginePath = ({ home }: Config): string => join(home, 'engine.json');

/** The running engine; undefined when there is none, whatever a dead one left behind. */
export function readEngine(config: Config): EngineRecord | undefined {
  const record = readRecord(enginePath(config), schema);
  return record && isAlive(record) ? record : undefined;
}

/** Whether the last engine ended in order: one that dies leaves its record behind. */
export const wasStopped = (config: Config): boolean => readRecord(enginePath(config), schema) === undefined;

/** Becomes the home's engine unless one runs; gives that one instead. */
export async function claimEngine(config: Config, mine: EngineRecord): Promise<EngineRecord | undefined> {
  return await withHomeLock(enginePath(config), async () => {
    const other = readEngine(config);
    if (other && other.pid !== mine.pid) return other;
    writeRecord(enginePath(config), mine);
    return undefined;
  });
}

/** Only the engine itself writes its record once it has claimed the home. */
export const updateEngine = (config: Config, mine: EngineRecord): void => writeRecord(enginePath(config), mine);

export async function releaseEngine(config: Config, mine: ProcessIdentity): Promise<void> {
  await withHomeLock(enginePath(config), async () => {
    if (readRecord(enginePath(config), schema)?.pid === mine.pid) removeRecord(enginePath(config));
  });
}
