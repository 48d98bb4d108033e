import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { fileArtifactStore } from '../activities/artifact-store.ts';
import { recordRunningAttempts } from '../activities/running-attempts.ts';
import { createApi } from '../api/api.ts';
import type { Config } from '../config.ts';
import { Fault } from '../faults.ts';
import { recordPlace } from '../service/place.ts';
import { createService } from '../service/service.ts';
import { connectWorker } from '../temporal/connection.ts';
import { createActivities } from '../worker/activities.ts';
import { recoverLostAttempts } from '../worker/recovery.ts';
import { createWorker } from '../worker/worker.ts';
import type { EngineRecord } from './engine-record.ts';
import { identify } from './process-identity.ts';
import type { TemporalAccess } from './temporal.ts';
import { temporalLogger } from './temporal-logger.ts';

export interface Serving {
  url: string;
  /** Resolves when the worker ends by itself, which it should not. */
  failed: Promise<Error>;
  stop(): Promise<void>;
}

const DEFAULT_PORT = 8420;

/** Starts the worker and the API; returns when a query to the worker is answered. */
export async function startServing(
  config: Config,
  temporal: TemporalAccess,
  engine: EngineRecord,
  logger: Logger,
): Promise<Serving> {
  Runtime.install({ logger: temporalLogger(logger), shutdownSignals: [] });
  const attempts = join(config.home, 'attempts');
  const recovered = recoverLostAttempts(temporal.client, attempts);
  const connection = await connectWorker(temporal.target);
  const worker = await createWorker({
    connection,
    namespace: temporal.namespace,
    identity: `holdpoint-${engine.pid}-${engine.since}`,
    activities: createActivities(temporal.client, {
      home: config.home,
      store: fileArtifactStore(join(config.home, 'artifacts')),
      running: recordRunningAttempts(attempts, identify()),
      hint() {},
    }),
  });
  const running = worker.run();
  const failed = running.then(
    () => new Promise<Error>(() => {}),
    (error: unknown) => new Error('the worker ended', { cause: error }),
  );
  logger.info({ attempts: await recovered }, 'recovered');

  const service = createService(temporal.client);
  const place = recordPlace(process.env);
  const server = createServer(createApi({ service, logger, registry: new Registry(), place: () => place }));
  const url = await listen(server, config);
  await service.ready();
  return {
    url,
    failed,
    async stop() {
      server.close();
      server.closeIdleConnections();
      worker.shutdown();
      await running.catch(() => {});
      server.closeAllConnections();
      await connection.close();
    },
  };
}

/** The port asked for, or else the usual one, or else a free one. */
async function listen(server: Server, { host, port }: Config): Promise<string> {
  for (const candidate of port === undefined ? [DEFAULT_PORT, 0] : [port]) {
    try {
      server.listen(candidate, host);
      await once(server, 'listening');
      return `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
    } catch (error) {
      const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!taken || port !== undefined)
        throw new Fault('CONFIG_INVALID', `the API cannot listen on ${host}:${candidate}: ${(error as Error).message}`, { cause: error });
    }
  }
  throw new Fault('CONFIG_INVALID', 'no port to listen on');
}
