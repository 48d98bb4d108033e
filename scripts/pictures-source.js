// A source for the pictures of programs: a paged JSON API, quick and slow, and one that is not there.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const NAMES = ['bulbasaur', 'ivysaur', 'venusaur', 'charmander', 'charmeleon', 'charizard', 'squirtle', 'wartortle'];
const ROWS = 900;
const PAGE = 50;

export async function picturesSource() {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://127.0.0.1');
    if (pathname === '/missing') return void response.writeHead(404).end('{}');
    if (pathname === '/slow') await delay(1_500);
    const from = Number(searchParams.get('cursor') ?? 0);
    const to = Math.min(from + PAGE, ROWS);
    const items = Array.from({ length: to - from }, (_, i) => row(from + i));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ items, next: to < ROWS ? String(to) : null }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}`;
  const entity = (path) => ({
    fields: { id: 'integer', name: 'string', base_experience: 'integer', types: 'json' },
    list: { http: { url: `${url}${path}` }, items: 'body.items', next: 'body.next', cursor: 'cursor', page_size: PAGE },
  });
  const entities = { Pokemon: entity('/pokemon'), SlowPokemon: entity('/slow'), Missing: entity('/missing') };
  return {
    url,
    catalog: { catalog: 1, name: 'pokedex', entities },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const row = (i) => ({
  id: i + 1,
  name: `${NAMES[i % NAMES.length]}-${i + 1}`,
  base_experience: (i * 7) % 400,
  types: i % 3 === 0 ? ['grass', 'poison'] : ['fire'],
});
