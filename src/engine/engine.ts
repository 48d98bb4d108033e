import { join } from 'node:path';
import { type Config, isLoopback } from '../config.ts';
import { Fault } from '../faults.ts';
import { homeInUse } from '../home/commands-in-use.ts';
import type { Authentication } from '../identity/authentication.ts';
import { hasAuthentication } from '../identity-config.ts';
import { claim, type EngineMode } from './claim.ts';
import { releaseEngine, updateEngine } from './engine-record.ts';
import { keepServer } from './keep-server.ts';
import { createLogger } from './logging.ts';
import { startServing } from './serving.ts';
import { untilTold } from './signals.ts';
import { sparingly } from './sparingly.ts';
import { connectTemporal } from './temporal.ts';

const PLAIN_HTTP = 'the API speaks plain HTTP: let other machines reach it only through a proxy that has TLS';

/**
 * The engine of a home: it owns the embedded Temporal server and has the worker and the API. Runs until it is told to end
 * (SIGTERM, SIGINT; SIGUSR2 leaves the Temporal server to a successor); gives the exit code.
 */
export async function runEngine(config: Config, { mode }: { mode: EngineMode }): Promise<number> {
  if (!isLoopback(config.host) && !hasAuthentication(config.identity))
    throw new Fault(
      'CONFIG_INVALID',
      `HOST is ${config.host}: without authentication the API binds to loopback only (127.0.0.1); set HOLDPOINT_API_KEYS or HOLDPOINT_JWT_…`,
    );
  const record = await claim(config, mode);
  if (record === 'another runs') return 0;
  const told = untilTold();
  const logger = createLogger(config, mode);
  // Its environment is that of whoever started it, which may have been another command than one thinks.
  logger.info({ settings: config.settings }, 'starting');
  const say = (text: string) => mode === 'foreground' && process.stdout.write(`${text}\n`);
  const tell = sparingly((text) => {
    logger.info(text);
    if (mode === 'foreground') process.stderr.write(`${text}\n`);
  });
  const progress = (text: string) => {
    tell(text);
    updateEngine(config, { ...record, progress: text });
  };
  let authentication: Authentication | undefined;
  try {
    if (hasAuthentication(config.identity)) {
      const { createAuthentication } = await import('../identity/authentication.ts');
      authentication = createAuthentication(config.identity, logger);
    }
    if (!isLoopback(config.host)) progress(`warning: ${PLAIN_HTTP}`);
    const temporal = await connectTemporal(config, progress);
    const serving = await startServing(config, temporal, record, logger, authentication).catch(
      async (error: unknown) => {
        // A server that was there before us is somebody's; the one we have just started is nobody's.
        if (temporal.embedded?.adopted === false) await temporal.embedded.stop();
        throw error;
      },
    );
    for (const warning of await temporal.warnings) progress(`warning: ${warning}`);
    const urls = {
      api: serving.url,
      temporal: temporal.address,
      namespace: temporal.namespace,
      temporal_ui: temporal.uiUrl,
    };
    const tellReady = (ready: boolean) =>
      updateEngine(config, {
        ...record,
        ...urls,
        ready,
        ...(!ready && { progress: 'starting the Temporal server again' }),
      });
    tellReady(true);
    logger.info({ ...urls, mode }, 'ready');
    say(banner(config, record.version, serving.url, temporal));
    const kept = temporal.embedded && keepServer(config, temporal.embedded, logger, tellReady);

    const why = await Promise.race([told, serving.failed, ...(kept ? [kept.lost] : [])]);
    logger.info({ why: why instanceof Error ? why.message : why }, 'ending');
    if (why instanceof Error) process.stderr.write(`holdpoint: ${why.message}\n`);
    const server = kept?.release();
    await serving.stop();
    await temporal.close();
    if (why === 'SIGUSR2' || homeInUse(config)) say('the Temporal server goes on: it is still in use');
    else await server?.stop();
    return why instanceof Error ? 1 : 0;
  } finally {
    authentication?.stop();
    await releaseEngine(config, record);
  }
}

function banner(
  config: Config,
  version: string,
  api: string,
  temporal: Awaited<ReturnType<typeof connectTemporal>>,
): string {
  const { embedded } = temporal;
  const durability = embedded && `, SQLite synchronous=${embedded.sqliteSynchronous}`;
  return [
    `Holdpoint ${version} is ready`,
    `  API              ${api}`,
    `  Temporal Web UI  ${temporal.uiUrl ?? 'that of your cluster'}`,
    `  Temporal         ${temporal.address} (${embedded ? `embedded${durability}` : `namespace ${temporal.namespace}`})`,
    `  State            ${config.home}`,
    `  Log              ${join(config.home, 'logs', 'engine.log')}`,
  ].join('\n');
}
