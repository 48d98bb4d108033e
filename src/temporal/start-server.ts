import { existsSync, rmSync, statfsSync } from 'node:fs';
import type { Config } from '../config.ts';
import { Fault } from '../faults.ts';
import { endProcess, identify, type ProcessIdentity } from '../home/process-identity.ts';
import { type OnProgress, progressOf } from './progress.ts';
import { anyPorts, choosePorts, type ServerPorts } from './server-ports.ts';
import { spawnServer } from './server-process.ts';
import { type StartOutcome, waitUntilReady } from './server-ready.ts';
import {
  addressOf,
  databasePath,
  readServerRecord,
  removeServerRecord,
  type ServerRecord,
  serverLogPath,
  writeServerRecord,
} from './server-record.ts';

const START_ATTEMPTS = 3;
const END_MS = 3000;

/**
 * Starts a server for the home and returns its record when it answers. Call it under the record's lock, when none runs.
 * Throws ENGINE_UNAVAILABLE with the server's last words.
 */
export async function startServer(
  config: Config,
  program: string,
  lost: AbortSignal,
  onProgress: OnProgress,
): Promise<ServerRecord> {
  const earlier = readServerRecord(config);
  if (earlier?.is_new) removeDatabase(config);
  progressOf('starting', onProgress)('starting the Temporal server');
  let ports = await choosePorts(earlier);
  for (let attempt = 1; ; attempt++) {
    lost.throwIfAborted();
    const started = await startOn(config, program, ports, lost);
    if (started.record) return started.record;
    const lostPort = /address already in use|can't (set|use default) \w+ port/i.test(started.output);
    if (!lostPort || attempt === START_ATTEMPTS) throw didNotStart(config, started);
    ports = await anyPorts();
  }
}

interface Started {
  record?: ServerRecord;
  outcome: StartOutcome;
  output: string;
}

async function startOn(config: Config, program: string, ports: ServerPorts, lost: AbortSignal): Promise<Started> {
  const is_new = !existsSync(databasePath(config));
  const server = spawnServer(config, program, ports);
  const identity = server.pid === undefined ? undefined : identify(server.pid);
  const record = identity && recordOf(config, identity, ports, is_new);
  // At once, so that whoever comes after our sudden end finds the server.
  if (record) writeServerRecord(config, record);
  const outcome = await waitUntilReady(server, addressOf(ports));
  if (record && outcome === 'ready') {
    writeServerRecord(config, { ...record, is_new: false });
    return { record, outcome, output: '' };
  }
  if (record) {
    await endProcess(record, END_MS);
    removeServerRecord(config, record);
  }
  if (is_new && !lost.aborted) removeDatabase(config);
  return { outcome, output: server.output() };
}

function recordOf(config: Config, identity: ProcessIdentity, ports: ServerPorts, is_new: boolean): ServerRecord {
  return { schema_version: 1, ...identity, ...ports, sqlite_synchronous: config.sqliteSynchronous, is_new };
}

/** Only of a server that never answered: Temporal makes the tables in many steps and does not finish them later. */
function removeDatabase(config: Config): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${databasePath(config)}${suffix}`, { force: true });
}

function didNotStart(config: Config, { outcome, output }: Started): Fault {
  if (isFull(config.home))
    return new Fault(
      'ENGINE_UNAVAILABLE',
      `The embedded Temporal server could not start: the disk of ${config.home} is full; make room, or set HOLDPOINT_HOME to a folder on another one`,
    );
  const what = outcome === 'silent' ? 'does not answer' : 'ended while it was starting';
  const lines = output.trim().split('\n').slice(-5);
  const words = lines.map((line) => `  ${line.slice(0, 400)}`).join('\n');
  return new Fault(
    'ENGINE_UNAVAILABLE',
    `The embedded Temporal server ${what}. The last lines of ${serverLogPath(config)}:\n${words}`,
  );
}

/** Its database begins with some hundred kilobytes. */
const LEAST_BYTES = 1_024 * 1_024;

function isFull(home: string): boolean {
  const { bavail, bsize } = statfsSync(home);
  return bavail * bsize < LEAST_BYTES;
}
