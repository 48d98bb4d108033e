// What a bounded program takes over its source's own time: pages that are answered after so long, read by a program and by hand, in turns.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { benchHome, median, spread } from './engine.js';

const RUNS = Number(process.env.RUNS ?? 40);
const PAGES = 4;
const source = createServer((request, response) => {
  const from = Number(new URL(request.url, 'http://x').searchParams.get('cursor') ?? 0);
  const items = Array.from({ length: 50 }, (_, i) => ({ id: from + i, name: `p${from + i}` }));
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ items, next: String(from + 50) }));
}).listen(0, '127.0.0.1');
await once(source, 'listening');
const at = `http://127.0.0.1:${source.address().port}/pokemon`;

process.env.HOLDPOINT_ALLOW_PRIVATE_HOSTS = '127.0.0.1';
const bench = benchHome();
const { url, kill } = await bench.up();
try {
  const post = async (path, body, type) => {
    const answer = await fetch(url + path, { method: 'POST', headers: { 'content-type': type }, body });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${answer.status} ${text}`);
    return text;
  };
  const list = `{ http: { url: "${at}" }, items: body.items, next: body.next, cursor: cursor, page_size: 50 }`;
  const catalog = `catalog: 1\nname: bench\nentities:\n  Pokemon: { fields: { id: integer, name: string }, list: ${list} }\n`;
  const { prompt_hash } = JSON.parse(await post('/catalogs', catalog, 'application/yaml'));
  let runs = 0;
  const program = () =>
    post(`/execute/${prompt_hash}/bench-${runs++}`, `Pokemon.limit(${PAGES * 50})[id, name]`, 'text/plain');
  const byHand = async () => {
    for (let cursor = 0; cursor < PAGES * 50; cursor += 50) await (await fetch(`${at}?cursor=${cursor}`)).json();
  };
  const taken = { program: [], byHand: [] };
  for (let i = 0; i < 5; i++) await program();
  for (let i = 0; i < RUNS; i++)
    for (const [name, run] of Object.entries({ program, byHand })) {
      const began = performance.now();
      await run();
      taken[name].push(performance.now() - began);
    }
  console.log(`a program of ${PAGES} pages: ${spread(taken.program, 'ms', 1)}`);
  console.log(`the same by hand: ${spread(taken.byHand, 'ms', 1)}`);
  console.log(`added, median: ${(median(taken.program) - median(taken.byHand)).toFixed(1)} ms (to be under 150)`);

  const many = 200;
  const began = performance.now();
  const accepted = await Promise.all(
    Array.from({ length: many }, (_, i) =>
      post(`/execute/${prompt_hash}/many?wait=false`, `Pokemon.limit(${i + 1})`, 'text/plain'),
    ),
  );
  const handles = new Set(accepted.map((text) => /wait\((s0_o\d+)\)/.exec(text)[1]));
  console.log(
    `${many} operations at once in one session: ${handles.size} handles, ${(performance.now() - began).toFixed(0)} ms`,
  );
  for (const handle of handles)
    while (!(await post(`/execute/${prompt_hash}/many`, `wait(${handle})`, 'text/plain')).includes(`\`${handle}\` !`))
      await new Promise((resolve) => setTimeout(resolve, 100));
  console.log(`all ended after ${(performance.now() - began).toFixed(0)} ms`);
} finally {
  await kill('SIGTERM');
  bench.remove();
  source.closeAllConnections();
  source.close();
}
