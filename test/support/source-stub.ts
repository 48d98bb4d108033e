import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A paged JSON API of so many rows, 50 a page; what it does may be changed as it runs. */
export async function startSource(rows = 900) {
  const source = {
    url: '',
    /** Requests so far. */
    hits: 0,
    /** Before each answer. */
    delayMs: 0,
    /** Answered in place of rows. */
    status: 200,
    row: (i: number): object => ({ id: i + 1, name: `p${i + 1}`, base_experience: i }),
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  const server = createServer(async (request, response) => {
    source.hits += 1;
    await delay(source.delayMs);
    const from = Number(new URL(request.url!, source.url).searchParams.get('cursor') ?? 0);
    const to = Math.min(from + 50, rows);
    const items = Array.from({ length: Math.max(0, to - from) }, (_, i) => source.row(from + i));
    response.writeHead(source.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ items, next: to < rows ? String(to) : null }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  source.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return source;
}
export type Source = Awaited<ReturnType<typeof startSource>>;

export const catalogOf = ({ url }: Pick<Source, 'url'>): string => `
catalog: 1
name: pokedex
entities:
  Pokemon:
    fields: { id: integer, name: string, base_experience: integer }
    list: { http: { url: "${url}/pokemon" }, items: body.items, next: body.next, cursor: cursor, page_size: 50 }
    get: { http: { url: "${url}/pokemon/{id}" } }
    relations: { moves: { to: Pokemon } }
`;
