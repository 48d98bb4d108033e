// What REST adds to a bare Temporal client: pause, resume and status by each in turn, in one run; then as many as go at once.
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { Pool } from 'undici';
import { benchHome, create, median, reaches, spread } from './engine.js';

const GATE = 'plan: 1\nname: gate\ntasks:\n  ok: { approve: "Go on?" }\n';
const ROUNDS = Number(process.env.ROUNDS ?? 60);
const WARM_UP = 6;
const VERBS = ['pause', 'status', 'resume'];
const AT_ONCE = 8;
const SECONDS = 4;

const bench = benchHome();
const engine = await bench.up();
const { url } = engine;
const connection = await Connection.connect({ address: engine.temporal });
const client = new Client({ connection });
// `fetch` would add about a millisecond of its own to each request.
const http = new Pool(url);

try {
  const id = await gate();
  const ways = { rest: rest(id), bare: bare(id) };
  const seen = {};
  for (const verb of VERBS) seen[verb] = { rest: [], bare: [] };
  for (let i = -WARM_UP; i < ROUNDS; i++)
    // Each goes first as often as the other.
    for (const way of i % 2 === 0 ? ['rest', 'bare'] : ['bare', 'rest'])
      for (const verb of VERBS) {
        const took = await timed(ways[way][verb]);
        if (i >= 0) seen[verb][way].push(took);
      }
  for (const [verb, { rest, bare }] of Object.entries(seen)) {
    console.log(`${verb}: REST ${spread(rest, 'ms', 1)}, bare client ${spread(bare, 'ms', 1)}`);
    console.log(`ratio: ${(median(rest) / median(bare)).toFixed(2)}`);
  }
  const rates = { rest: [], bare: [] };
  for (const way of ['bare', 'rest', 'bare', 'rest']) rates[way].push(await rate(way === 'rest' ? rest : bare));
  const best = (way) => Math.max(...rates[way]);
  console.log(
    `pause and resume of ${AT_ONCE} plans at once: REST ${best('rest').toFixed(0)} requests/s, bare client ${best('bare').toFixed(0)} requests/s`,
  );
  console.log(`ratio: ${(best('bare') / best('rest')).toFixed(2)}`);
} finally {
  await http.close();
  await connection.close();
  await engine.kill('SIGTERM');
  bench.remove();
}

async function gate() {
  const id = await create(url, GATE);
  await reaches(url, id, 'awaiting_input');
  return id;
}

function rest(id) {
  const expect = async (method, path, status) => {
    const { statusCode, body } = await http.request({ method, path: `/api/plans/${id}${path}` });
    await body.text();
    if (statusCode !== status) throw new Error(`${method} ${path}: ${statusCode}, not ${status}`);
  };
  return {
    pause: () => expect('PUT', '/pause', 204),
    resume: () => expect('PUT', '/resume', 204),
    status: () => expect('GET', '', 200),
  };
}

/** As one would by hand: a Signal, and a Query for its outcome. */
function bare(id) {
  const handle = client.workflow.getHandle(`plan/local/${id}`);
  const command = async (name) => {
    const request_id = randomUUID();
    await handle.signal(name, { request_id, at: Date.now() });
    const outcome = await handle.query('control_outcome', request_id);
    if (outcome.result !== 'done') throw new Error(JSON.stringify(outcome));
  };
  return {
    pause: () => command('pause'),
    resume: () => command('resume'),
    status: () => handle.query('status'),
  };
}

/** Requests a second of several callers, each with a plan of its own. */
async function rate(way) {
  const plans = await Promise.all(Array.from({ length: AT_ONCE }, gate));
  const end = performance.now() + SECONDS * 1_000;
  let count = 0;
  await Promise.all(
    plans.map(async (id) => {
      const { pause, resume } = way(id);
      for (; performance.now() < end; count += 2) await pause().then(resume);
    }),
  );
  return count / SECONDS;
}

async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
