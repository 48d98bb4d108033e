import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { readModels } from '../activities/llm/models.ts';
import { recordRunningAttempts } from '../activities/running-attempts.ts';
import { secretSource } from '../activities/secrets.ts';
import { fileStores } from '../activities/stores.ts';
import type { Config } from '../config.ts';
import { Fault } from '../faults.ts';
import { identify } from '../home/process-identity.ts';
import type { Authentication } from '../identity/authentication.ts';
import { localBus } from '../service/bus.ts';
import { connectWorker } from '../temporal/connection.ts';
import { findLostAttempts } from '../worker/recovery.ts';
import { createWorker } from '../worker/worker.ts';
import type { EngineRecord } from './engine-record.ts';
import { interruptPipelines } from './interrupt-pipelines.ts';
import { pipelinesOf } from './pipelines.ts';
import { keepClean } from './retention.ts';
import type { TemporalAccess } from './temporal.ts';
import { temporalRuntime } from './temporal-runtime.ts';
import { interruptLostSessions, watchSessions } from './watch-sessions.ts';

export interface Serving {
  url: string;
  /** Resolves when the worker ends by itself, which it should not. */
  failed: Promise<Error>;
  stop(): Promise<void>;
}

/** Starts the worker and the API; returns when a query to the worker is answered. */
export async function startServing(
  config: Config,
  temporal: TemporalAccess,
  engine: EngineRecord,
  logger: Logger,
  authentication: Authentication | undefined,
): Promise<Serving> {
  Runtime.install(temporalRuntime(logger));
  const models = await readModels(config.llm).catch((error: Error) => {
    throw new Fault('CONFIG_INVALID', error.message);
  });
  const began = Date.now();
  const attempts = join(config.home, 'attempts');
  const stores = fileStores(config.home);
  const interrupted = Promise.all([
    interruptLostSessions(config.home, temporal.client),
    ...(config.onRestart === 'interrupt' ? [interruptPipelines(temporal.client, began, logger)] : []),
  ]);
  const lost = interrupted.then(() => findLostAttempts(temporal.client, attempts));
  const connection = await connectWorker(temporal.target);
  const recovered = lost.then(({ tell }) => tell());
  // By the worker's connection, whose calls cost this thread half as much, and so come back sooner.
  const client = new Client({ connection, namespace: temporal.namespace });
  const bus = localBus();
  const dependencies = {
    home: config.home,
    store: stores.artifacts,
    running: recordRunningAttempts(attempts, identify()),
    allowPrivateHosts: config.allowPrivateHosts,
    agentCommand: config.agentCommand,
    secrets: secretSource(config.secretNames, config.secret, models.keys),
    models,
  };
  const starting = createWorker({
    connection,
    namespace: temporal.namespace,
    identity: `holdpoint-${engine.pid}-${engine.since}`,
    // Loaded, as the rest of the engine is, while the workflow thread loads what it needs.
    activities: import('../worker/activities.ts').then((it) => it.createActivities(client, dependencies)),
    bus,
  });
  const rest = Promise.all([import('../service/service.ts'), import('./api-server.ts')]);
  const [worker] = await Promise.all([starting, lost]);
  const running = worker.run();
  const failed = running.then(
    () => new Promise<Error>(() => {}),
    (error: unknown) => new Error('the worker ended', { cause: error }),
  );
  logger.info({ attempts: await recovered }, 'recovered');

  const [{ createService }, { serveApi }] = await rest;
  const service = createService(client, stores, bus, pipelinesOf(config), config.execution);
  const api = await serveApi(config, service, logger, authentication, temporal);
  await service.ready();
  const endCleaning = keepClean(config, temporal.client, logger);
  const endWatching = watchSessions(config.home, temporal.client, logger);
  return {
    url: api.url,
    failed,
    async stop() {
      endCleaning();
      endWatching();
      worker.shutdown();
      await Promise.all([api.stop(), running.catch(() => {})]);
      await connection.close();
    },
  };
}
