import { spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, openSync, readSync, statSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../config.ts';
import { SEARCH_ATTRIBUTES } from '../contract/search-attributes.ts';
import { withoutSecrets } from './child-environment.ts';
import type { ServerPorts } from './server-ports.ts';
import { databasePath, serverLogPath } from './server-record.ts';

/**
 * Measured on Temporal 1.29.1: the first makes an activity cost 13 ms in place of 93, the second lets queries of one
 * workflow run side by side, the others together give +80 % on wide plans.
 */
const DYNAMIC_CONFIG = {
  'history.transferProcessorMaxPollRPS': 2000,
  'history.MaxBufferedQueryCount': 1000,
  // A workflow task is thrown away when more results than this come while it runs.
  'history.maximumBufferedEventsBatch': 2000,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  'system.forceSearchAttributesCacheRefreshOnRead': false,
  'system.enableActivityEagerExecution': true,
  // What has just closed can be removed once these have written down how far they are, which they do every 30 s by themselves.
  'history.transferProcessorUpdateAckInterval': '1s',
  'history.visibilityProcessorUpdateAckInterval': '1s',
};
const LOG_LIMIT_BYTES = 20 * 1024 * 1024;

export interface ServerProcess {
  /** Undefined when the program could not be started at all. */
  pid: number | undefined;
  hasEnded(): boolean;
  /** What the server has written since it was started. */
  output(): string;
}

/** Starts the server detached, in its own process group: it outlives the process that started it. */
export function spawnServer(config: Config, program: string, ports: ServerPorts): ServerProcess {
  const log = serverLogPath(config);
  const begin = openedLogSize(log);
  const descriptor = openSync(log, 'a', 0o600);
  const child = spawn(program, serverArguments(config, ports), {
    cwd: config.home,
    env: { ...withoutSecrets(process.env), HOLDPOINT_HOME: config.home },
    detached: true,
    stdio: ['ignore', descriptor, descriptor],
  });
  closeSync(descriptor);
  child.unref();
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  return {
    pid: child.pid,
    hasEnded: () => failure !== undefined || child.exitCode !== null || child.signalCode !== null,
    output: () => failure?.message ?? textFrom(log, begin),
  };
}

export function serverArguments(config: Config, ports: ServerPorts): string[] {
  const attributes = Object.values(SEARCH_ATTRIBUTES);
  const pragmas = ['journal_mode=WAL', `synchronous=${config.sqliteSynchronous}`];
  return [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', `${ports.port}`, '--ui-port', `${ports.ui_port}`],
    ...['--db-filename', databasePath(config), '--log-level', 'error'],
    ...pragmas.flatMap((pragma) => ['--sqlite-pragma', pragma]),
    ...Object.entries(DYNAMIC_CONFIG).flatMap(([key, value]) => [
      '--dynamic-config-value',
      `${key}=${JSON.stringify(value)}`,
    ]),
    ...attributes.flatMap(({ name, type }) => ['--search-attribute', `${name}=${type}`]),
  ];
}

function openedLogSize(log: string): number {
  mkdirSync(dirname(log), { recursive: true, mode: 0o700 });
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= LOG_LIMIT_BYTES) return size;
  truncateSync(log);
  return 0;
}

function textFrom(log: string, begin: number): string {
  const descriptor = openSync(log, 'r');
  try {
    const text = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - begin));
    readSync(descriptor, text, 0, text.length, begin);
    return text.toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}
