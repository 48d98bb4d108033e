import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { createApi } from '../api/api.ts';
import { localUser } from '../api/authenticate.ts';
import { watchCallers } from '../api/still-allowed.ts';
import { ticketOffice } from '../api/tickets.ts';
import { serveWebSocket } from '../api/websocket.ts';
import { type Config, isLoopback } from '../config.ts';
import { Fault } from '../faults.ts';
import type { Authentication } from '../identity/authentication.ts';
import { mcpOverHttp } from '../mcp/http.ts';
import { recordPlace } from '../service/place.ts';
import type { PlanService } from '../service/service.ts';
import { thisBuild } from './build.ts';
import { createHttpServer } from './http-server.ts';
import type { TemporalAccess } from './temporal.ts';

export interface ApiServer {
  url: string;
  /** Takes no new connections; resolves when the last request has been answered. */
  stop(): Promise<void>;
}

const DEFAULT_PORT = 8420;

/** Serves the API on the port asked for, or else the usual one, or else a free one. */
export async function serveApi(
  config: Config,
  service: PlanService,
  logger: Logger,
  authentication: Authentication | undefined,
  temporal: Pick<TemporalAccess, 'namespace' | 'uiUrl'>,
): Promise<ApiServer> {
  const { callerOf, recheck, onChange } = authentication ?? { callerOf: localUser, recheck: localUser };
  const place = recordPlace(process.env);
  const tickets = ticketOffice();
  const closing = new AbortController();
  const { rateLimit } = config.identity;
  const watch = watchCallers({ recheck, onChange });
  const given = { service, logger, tickets, callerOf, watch };
  const { version } = thisBuild();
  const { server, drain } = createHttpServer(
    createApi({
      ...given,
      registry: new Registry(),
      sessions: authentication,
      place: () => place,
      rateLimit,
      closing: closing.signal,
      mcp: mcpOverHttp(service, {
        place: () => place,
        onInternal: (err) => logger.error({ err }, 'internal error'),
        version,
      }),
      version,
      temporal: { namespace: temporal.namespace, ui_url: uiUrlFor(config, temporal) },
    }),
  );
  const closeSockets = serveWebSocket(server, {
    ...given,
    loopbackOnly: callerOf === localUser,
    allowedOrigins: config.allowedOrigins,
  });
  const url = await listen(server, config);
  return {
    url,
    async stop() {
      closing.abort();
      void closeSockets();
      await drain();
    },
  };
}

/** The embedded server's Web UI is on this machine alone, and so is of use to nobody where other machines are served. */
const uiUrlFor = (config: Config, { uiUrl }: Pick<TemporalAccess, 'uiUrl'>): string | null =>
  config.temporalUiUrl ?? (isLoopback(config.host) ? uiUrl : undefined) ?? null;

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
