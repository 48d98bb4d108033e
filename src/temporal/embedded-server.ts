import type { Config } from '../config.ts';
import { withHomeLock } from '../home/home-lock.ts';
import { endProcess, type ProcessIdentity } from '../home/process-identity.ts';
import { obtainTemporal } from './obtain-temporal.ts';
import { findOrphan } from './orphan-server.ts';
import { type OnProgress, progressOf } from './progress.ts';
import { answers } from './server-ready.ts';
import {
  addressOf,
  isRunning,
  readServerRecord,
  removeServerRecord,
  type ServerRecord,
  serverRecordPath,
  writeServerRecord,
} from './server-record.ts';
import { startServer } from './start-server.ts';

export interface EmbeddedServer {
  /** host:port of the gRPC front end. */
  address: string;
  namespace: 'default';
  uiUrl: string;
  identity: ProcessIdentity;
  /** It ran already when we came. */
  adopted: boolean;
  /** What it was started with: NORMAL survives any process crash, FULL also a power cut. */
  sqliteSynchronous: Config['sqliteSynchronous'];
  /** Ends the server and returns when it is gone. */
  stop(): Promise<void>;
}

/** A healthy server answers in 20 ms; on a machine that is busy with plans it may take a while. */
const ANSWER_MS = 10_000;
const END_MS = 3000;
const STOP_MS = 10_000;

/**
 * The home's Temporal server: the one that runs is adopted (an engine that was killed leaves its server behind), else one is started.
 * Throws ENGINE_UNAVAILABLE with the server's last words.
 */
export async function startEmbeddedServer(
  config: Config,
  onProgress: OnProgress = () => undefined,
): Promise<EmbeddedServer> {
  // Before the lock, for a build takes minutes; not at all when there is a server to adopt.
  const program = runningServer(config) ? undefined : await obtainTemporal(config, onProgress);
  const report = progressOf('waiting', onProgress);
  return withHomeLock(
    serverRecordPath(config),
    async (lost) => {
      const adopted = await adopt(config, onProgress);
      if (adopted) return adopted;
      const temporal = program ?? (await obtainTemporal(config, onProgress));
      return asServer(config, await startServer(config, temporal, lost, onProgress), false);
    },
    { onWaiting: () => report('waiting for another Holdpoint process that is starting Temporal') },
  );
}

/** The home's server if one runs, whether it answers or not; starts none. */
export function findEmbeddedServer(config: Config): EmbeddedServer | undefined {
  const record = runningServer(config);
  return record && asServer(config, record, true);
}

function runningServer(config: Config): ServerRecord | undefined {
  const record = readServerRecord(config);
  return isRunning(record) ? record : findOrphan(config);
}

async function adopt(config: Config, onProgress: OnProgress): Promise<EmbeddedServer | undefined> {
  const record = runningServer(config);
  if (!record) return undefined;
  if (await answers(addressOf(record), ANSWER_MS)) {
    writeServerRecord(config, { ...record, is_new: false });
    return asServer(config, record, true);
  }
  progressOf('starting', onProgress)(`ending the Temporal server with pid ${record.pid}, which does not answer`);
  await endProcess(record, END_MS);
  return undefined;
}

function asServer(config: Config, record: ServerRecord, adopted: boolean): EmbeddedServer {
  return {
    address: addressOf(record),
    namespace: 'default',
    uiUrl: `http://127.0.0.1:${record.ui_port}`,
    identity: { pid: record.pid, started: record.started },
    adopted,
    sqliteSynchronous: record.sqlite_synchronous,
    stop: () =>
      withHomeLock(serverRecordPath(config), async () => {
        await endProcess(record, STOP_MS);
        removeServerRecord(config, record);
      }),
  };
}
