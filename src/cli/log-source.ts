import { readdir } from 'node:fs/promises';
import type { AttemptLog, LogFilter } from '../activities/logs/log-store.ts';
import { asFault, Fault } from '../faults.ts';
import { localCaller } from '../service/caller.ts';
import type { LogRequest, OpenLog } from '../service/logs.ts';
import type { Cli } from './cli.ts';
import { findPlan } from './find-plan.ts';

/** Where the logs of a plan are read from. */
export interface LogSource {
  list(filter: LogFilter): Promise<AttemptLog[]>;
  open(request: LogRequest): Promise<OpenLog | undefined>;
  close(): Promise<void>;
}

/** The home's engine where one runs, or else the files of the home themselves. */
export async function openLogSource(cli: Cli, plan: string): Promise<LogSource> {
  const connection = await cli.engine.connect({ start: false, onProgress() {} }).catch((error: unknown) => {
    if (asFault(error).code === 'ENGINE_UNAVAILABLE') return undefined;
    throw error;
  });
  if (!connection) return await filesOfHome(cli, plan);
  const caller = localCaller('cli logs');
  const { service } = connection;
  try {
    const planId = await findPlan({ ...connection, caller }, plan);
    return {
      list: (filter) => service.logs(caller, planId, filter),
      open: (request) => service.openLog(caller, planId, request),
      close: connection.close,
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function filesOfHome(cli: Cli, given: string): Promise<LogSource> {
  const { home } = await cli.engine.status();
  const { fileStores, runsFolder } = await import('../activities/stores.ts');
  const { openPart, pickLog } = await import('../service/logs.ts');
  const { unknownTask } = await import('../service/task-names.ts');
  const planId = await planWithFiles(runsFolder(home), given.toLowerCase());
  const store = fileStores(home).logs;
  cli.err.line(cli.err.colours.dim('no engine runs; these are the files of this home'));
  return {
    async list(filter) {
      const logs = await store.list(planId, filter);
      if (logs.length > 0 || filter.task === undefined) return logs;
      throw unknownTask(
        (await store.list(planId)).map(({ task }) => ({ id: task })),
        filter.task,
      );
    },
    async open(request) {
      const log = pickLog(await store.list(planId, { task: request.task }), request);
      return log && (await openPart(store, planId, log, request));
    },
    close: async () => {},
  };
}

async function planWithFiles(runs: string, given: string): Promise<string> {
  const found = /^[0-9a-f-]{6,36}$/.test(given)
    ? (await readdir(runs).catch(() => [])).filter((name) => name.startsWith(given))
    : [];
  if (found.length > 1) throw new Fault('USAGE', `"${given}" means more than one plan: ${found.join(', ')}`);
  if (found[0]) return found[0];
  throw new Fault('PLAN_NOT_FOUND', `no engine runs, and this home has no files of a plan "${given}"`);
}
