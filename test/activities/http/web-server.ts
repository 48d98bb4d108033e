import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

type Handler = (...parameters: Parameters<RequestListener>) => unknown;

/** A real server on loopback that remembers what it was asked. */
export async function webServer(handle: Handler, host = '127.0.0.1') {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    await handle(request, response);
  });
  await once(server.listen(0, host), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    seen,
    port,
    url: `http://${host}:${port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
export type WebServer = Awaited<ReturnType<typeof webServer>>;
