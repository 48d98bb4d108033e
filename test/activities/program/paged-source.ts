import type { Json, JsonObject } from '../../../src/plan/json.ts';
import { webServer } from '../http/web-server.ts';

/** So many Pokémon-like rows. */
export const pokemons = (n: number): JsonObject[] =>
  Array.from({ length: n }, (_, i) => ({ id: i + 1, name: `p${i + 1}`, base_experience: i }));

/** A JSON API that gives rows page by page; `before` may answer in its place. */
export async function pagedSource(
  rows: Json[],
  size: number,
  before: (cursor: number, response: import('node:http').ServerResponse) => unknown = () => undefined,
) {
  const server = await webServer(async (request, response) => {
    const from = Number(new URL(request.url!, 'http://x').searchParams.get('cursor') ?? 0);
    await before(from, response);
    if (response.writableEnded || response.headersSent) return;
    response.setHeader('content-type', 'application/json');
    const next = from + size < rows.length ? String(from + size) : null;
    response.end(JSON.stringify({ items: rows.slice(from, from + size), next }));
  });
  return {
    ...server,
    /** The cursors that were asked for, in order. */
    asked: () => server.seen.map(({ url }) => new URL(url, 'http://x').searchParams.get('cursor')),
  };
}
