import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileStores } from '../activities/stores.ts';
import type { Config } from '../config.ts';
import { Fault } from '../faults.ts';
import { useHome } from '../home/commands-in-use.ts';
import type { PlanService } from '../service/service.ts';
import { packageRoot } from '../temporal/package-root.ts';
import { thisBuild } from './build.ts';
import { endEngine } from './claim.ts';
import { type EngineRecord, readEngine, wasStopped } from './engine-record.ts';
import { pipelinesOf } from './pipelines.ts';

export interface EngineConnection {
  service: PlanService;
  urls: { api: string; temporal: string; temporalUi: string };
  close(): Promise<void>;
}

/** How long a take-over may leave a home without an engine. */
const SUCCESSOR_MS = 5_000;

/** The first start on a machine may download or build Temporal. */
const START_MS = 15 * 60_000;

export interface ConnectOptions {
  /** Whether to start an engine where none runs; `unless stopped`: only where one has died, not where it was told to end. */
  start: boolean | 'unless stopped';
  onProgress(text: string): void;
}

/** Finds the home's running engine, or starts one that outlives this process, and connects to it. Throws ENGINE_UNAVAILABLE. */
export async function connectEngine(config: Config, options: ConnectOptions): Promise<EngineConnection> {
  const release = useHome(config);
  try {
    const engine = await findOrStart(config, options);
    const { connectClient } = await import('../temporal/connection.ts');
    const [{ Client }, { createService }, { locateCluster }] = await Promise.all([
      import('@temporalio/client'),
      import('../service/service.ts'),
      import('../temporal/cluster.ts'),
    ]);
    const cluster = locateCluster();
    const connection = await connectClient(cluster.kind === 'external' ? cluster : { address: engine.temporal! });
    return {
      service: createService(
        new Client({ connection, namespace: engine.namespace ?? 'default' }),
        fileStores(config.home),
        undefined,
        pipelinesOf(config),
        config.execution,
      ),
      urls: { api: engine.api ?? '', temporal: engine.temporal ?? '', temporalUi: engine.temporal_ui ?? '' },
      async close() {
        release();
        await connection.close();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

async function findOrStart(config: Config, options: ConnectOptions): Promise<EngineRecord> {
  let child: Detached | undefined;
  let shown: string | undefined;
  const { workflows } = thisBuild();
  const begun = Date.now();
  for (const end = Date.now() + START_MS; Date.now() < end; await delay(25)) {
    const engine = readEngine(config);
    const isOurs = engine?.workflows === workflows || engine?.mode === 'foreground';
    if (engine?.ready && (isOurs || !options.start || child?.exit !== undefined)) return engine;
    if (engine?.progress && engine.progress !== shown) {
      shown = engine.progress;
      options.onProgress(shown);
    }
    if (!engine && !options.start)
      throw new Fault('ENGINE_UNAVAILABLE', 'no engine of this home runs; start one with `holdpoint up`');
    if (engine && !engine.ready) continue;
    if (!engine && options.start === 'unless stopped' && wasStopped(config)) {
      // A successor may be about to take its place.
      if (Date.now() < begun + SUCCESSOR_MS) continue;
      throw new Fault(
        'ENGINE_UNAVAILABLE',
        'the engine was stopped; its plans go on when one runs again: `holdpoint up`',
      );
    }
    child ??= startDetached(config);
    if (child.exit === undefined) continue;
    if (child.exit !== 0) throw new Fault('ENGINE_UNAVAILABLE', child.lastWords());
    // It stepped back before another one, which has ended since.
    if (!engine) child = undefined;
  }
  throw new Fault('ENGINE_UNAVAILABLE', 'the engine did not get ready; see logs/engine.log in its home');
}

interface Detached {
  exit: number | undefined;
  lastWords(): string;
}

function startDetached(config: Config): Detached {
  const folder = join(config.home, 'logs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'engine.start.log');
  const output = openSync(path, 'w', 0o600);
  const program = join(packageRoot(), 'bin', 'holdpoint.js');
  const process_ = spawn(process.execPath, [program, 'up', '--detached'], {
    cwd: config.home,
    detached: true,
    stdio: ['ignore', output, output],
    env: { ...process.env, HOLDPOINT_HOME: config.home },
  });
  closeSync(output);
  process_.unref();
  const started: Detached = {
    exit: undefined,
    lastWords: () =>
      readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .slice(-12)
        .join('\n')
        .replace(/^holdpoint: /, ''),
  };
  process_.on('exit', (code) => {
    started.exit = code ?? 1;
  });
  return started;
}

export interface EngineStatus {
  running: boolean;
  ready: boolean;
  home: string;
  pid?: number;
  mode?: EngineRecord['mode'];
  since?: string;
  version?: string;
  progress?: string;
  urls?: EngineConnection['urls'];
}

/** What is known of the home's engine, without asking it. */
export async function engineStatus(config: Config): Promise<EngineStatus> {
  const engine = readEngine(config);
  if (!engine) return { running: false, ready: false, home: config.home };
  const { pid, mode, since, version, ready, progress, api = '', temporal = '', temporal_ui: temporalUi = '' } = engine;
  return {
    running: true,
    ready,
    home: config.home,
    pid,
    mode,
    since,
    version,
    ...(progress && { progress }),
    urls: { api, temporal, temporalUi },
  };
}

/** Ends the home's engine and its embedded Temporal server; false when neither ran. */
export async function stopEngine(config: Config, onProgress: (text: string) => void): Promise<boolean> {
  const engine = readEngine(config);
  if (engine) {
    onProgress(`ending the engine (pid ${engine.pid})`);
    await endEngine(engine, 'SIGTERM');
  }
  const { findEmbeddedServer } = await import('../temporal/embedded-server.ts');
  const server = findEmbeddedServer(config);
  await server?.stop();
  return engine !== undefined || server !== undefined;
}
