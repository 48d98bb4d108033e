import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { Registry } from 'prom-client';
import { createApi } from '../../src/api/api.ts';
import { mcpOverHttp } from '../../src/mcp/http.ts';
import { localCaller, type Permission } from '../../src/service/caller.ts';
import { startWorld } from '../support/world.ts';

/** The API over a real port, a real service and a worker. Who says `x-org` is of that organisation, and has `x-permissions`, or all. */
export async function startApi(more: Parameters<typeof startWorld>[0] = {}) {
  const world = await startWorld(more);
  const place = () => ({ env: { PATH: process.env.PATH! } });
  const app = createApi({
    service: world.service,
    logger: pino({ level: 'silent' }),
    registry: new Registry(),
    place,
    mcp: mcpOverHttp(world.service, { place, onInternal() {}, version: '1.2.3' }),
    async callerOf(request) {
      const caller = localCaller('test');
      const org_id = String(request.headers['x-org'] ?? 'local');
      const given = request.headers['x-permissions'];
      const permissions = given === undefined ? caller.permissions : (String(given).split(',') as Permission[]);
      return { ...caller, permissions, principal: { ...caller.principal, org_id } };
    },
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  /** A path is sent as it is written. */
  async function open(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
    const request = get({ host: '127.0.0.1', port, path, headers, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  }
  return {
    world,
    url: `http://127.0.0.1:${port}`,
    open,
    async ask(path: string, headers: Record<string, string> = {}) {
      const response = await open(path, headers);
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const bytes = Buffer.concat(chunks);
      const text = bytes.toString('utf8');
      const isJson = /json/.test(response.headers['content-type'] ?? '') && text !== '';
      return { status: response.statusCode!, headers: response.headers, bytes, text, json: isJson && JSON.parse(text) };
    },
    /** The events of a stream, until it ends or `enough` says so. */
    async events(path: string, headers: Record<string, string> = {}, enough = (_seen: StreamedEvent[]) => false) {
      const response = await open(path, { accept: 'text/event-stream', ...headers });
      const seen: StreamedEvent[] = [];
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) {
        text += chunk;
        const blocks = text.split('\n\n');
        text = blocks.pop()!;
        for (const block of blocks) {
          const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s).slice(0, 2)));
          if (fields.data === undefined) continue;
          seen.push({ id: fields.id, event: fields.event, data: JSON.parse(fields.data) });
          if (enough(seen)) {
            response.destroy();
            return seen;
          }
        }
      }
      return seen;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await world.stop();
    },
  };
}

export interface StreamedEvent {
  id?: string;
  event?: string;
  data: Record<string, unknown>;
}

export const textOf = (events: StreamedEvent[]): string =>
  events.map(({ event, data }) => (event === 'output' ? data.text : '')).join('');
