import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { createApi } from '../api/api.ts';
import type { Config } from '../config.ts';
import { Fault } from '../faults.ts';
import { recordPlace } from '../service/place.ts';
import type { PlanService } from '../service/service.ts';
import { thisBuild } from './build.ts';

export interface ApiServer {
  url: string;
  /** Takes no new connections; resolves when the last request has been answered. */
  stop(): Promise<void>;
}

const DEFAULT_PORT = 8420;
/** How long a request under way may still take when the engine ends. */
const DRAIN_MS = 3_000;

/** Serves the API on the port asked for, or else the usual one, or else a free one. */
export async function serveApi(config: Config, service: PlanService, logger: Logger): Promise<ApiServer> {
  const place = recordPlace(process.env);
  const server = createServer(
    createApi({ service, logger, registry: new Registry(), place: () => place, version: thisBuild().version }),
  );
  const url = await listen(server, config);
  return {
    url,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
      await closed;
      clearTimeout(late);
    },
  };
}

async function listen(server: Server, { host, port }: Config): Promise<string> {
  const candidates = port === undefined ? [DEFAULT_PORT, 0] : [port];
  for (const candidate of candidates) {
    try {
      server.listen(candidate, host);
      await once(server, 'listening');
      return `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'EADDRINUSE' && candidate !== candidates.at(-1)) continue;
      throw new Fault('CONFIG_INVALID', `the API cannot listen on ${host}:${candidate}: ${message}`, { cause: error });
    }
  }
  throw new Fault('CONFIG_INVALID', 'there is no port to listen on');
}
