import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { isAlive } from '../home/process-identity.ts';
import { type EmbeddedServer, startEmbeddedServer } from '../temporal/embedded-server.ts';

export interface KeptServer {
  /** Resolves when the server died and could not be brought back where everybody looks for it. */
  lost: Promise<Error>;
  /** Watches no more; gives the server that runs now. */
  release(): EmbeddedServer;
}

const WATCH_MS = 250;

/**
 * Starts the home's Temporal server again when it dies while its engine lives: connections find it at its old address, and plans go on.
 * `onChange` tells when it is gone and when it is back.
 */
export function keepServer(
  config: Config,
  first: EmbeddedServer,
  logger: Logger,
  onChange: (isUp: boolean) => void,
): KeptServer {
  let server = first;
  let watching = true;

  const watch = async (): Promise<Error> => {
    for (; watching; await delay(WATCH_MS)) {
      if (isAlive(server.identity)) continue;
      logger.error({ pid: server.identity.pid }, 'the Temporal server died; starting it again');
      onChange(false);
      const next = await startEmbeddedServer(config);
      if (next.address !== first.address) {
        await next.stop();
        return new Error(`the Temporal server died, and its port is taken: it could not come back at ${first.address}`);
      }
      server = next;
      onChange(true);
      logger.info({ pid: server.identity.pid }, 'the Temporal server is back');
    }
    return await new Promise<Error>(() => {});
  };
  return {
    lost: watch().catch(
      (cause: unknown) => new Error('the Temporal server died and could not be started again', { cause }),
    ),
    release() {
      watching = false;
      return server;
    },
  };
}
