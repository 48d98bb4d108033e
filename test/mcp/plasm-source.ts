import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const ROWS = 900;
const PAGE = 50;

/** A paged JSON API of 900 rows, and a catalog over it; `slow` is how long each of its answers takes. */
export async function pokedex() {
  let hits = 0;
  let slow = 0;
  const server = createServer(async (request, response) => {
    hits += 1;
    await delay(slow);
    const from = Number(new URL(request.url!, 'http://x').searchParams.get('cursor') ?? 0);
    const rows = Array.from({ length: ROWS }, (_, i) => ({ id: i + 1, name: `p${i + 1}`, base_experience: i }));
    const next = from + PAGE < ROWS ? String(from + PAGE) : null;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ items: rows.slice(from, from + PAGE), next }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    catalog: `catalog: 1
name: pokedex
entities:
  Pokemon:
    fields: { id: integer, name: string, base_experience: integer }
    list: { http: { url: "http://127.0.0.1:${port}/pokemon" }, items: body.items, next: body.next, cursor: cursor, page_size: ${PAGE} }
`,
    hits: () => hits,
    slow: (ms: number) => {
      slow = ms;
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** 600 of its rows, the first of which are on the seventh page. */
export const BIG = 'Pokemon.filter{base_experience >= 300}';
