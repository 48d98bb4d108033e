import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { answerTransportProblems, mustHaveHost } from '../api/transport-problems.ts';

export interface HttpServer {
  server: Server;
  /** Takes no new connections; resolves when what was under way has been answered, or was cut off after a while. */
  drain(patienceMs?: number): Promise<void>;
}

/** What a peer that is slow, or pretends to be, may hold of this process: a connection for seconds, never a share of it for ever. */
export const SERVER_LIMITS = {
  headersTimeout: 10_000,
  /** For the whole request, its body included; an answer may take as long as it likes. */
  requestTimeout: 60_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 16 * 1_024,
};
const MOST_CONNECTIONS = 5_000;
/** How long a request under way may still take when the engine ends. */
const DRAIN_MS = 3_000;

export function createHttpServer(app: RequestListener, limits: Partial<typeof SERVER_LIMITS> = {}): HttpServer {
  const server = createServer({ ...SERVER_LIMITS, ...limits, requireHostHeader: false });
  answerTransportProblems(server);
  server.maxConnections = MOST_CONNECTIONS;
  let draining = false;
  server.on('request', (request, response) => {
    // A connection that is kept for later requests would hold the end up.
    if (draining) response.setHeader('Connection', 'close');
    response.on('close', () => draining && server.closeIdleConnections());
    if (mustHaveHost(request, response)) app(request, response);
  });
  return {
    server,
    async drain(patienceMs = DRAIN_MS) {
      draining = true;
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const late = setTimeout(() => server.closeAllConnections(), patienceMs);
      await closed;
      clearTimeout(late);
    },
  };
}
