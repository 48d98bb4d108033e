// 100,000 rows paged through from a local source by a worker that has 512 MiB at most: rows a second, and the memory it took, with
// and without a sort. The engine is a process of its own; so is the source, whose time is not the worker's.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { fileStores } from '../dist/activities/stores.js';
import { planOfProgram } from '../dist/service/execute/plan-of-program.js';
import { startWorkflow } from '../dist/service/start-workflow.js';
import { benchHome, reaches } from './engine.js';

const ROWS = Number(process.env.ROWS ?? 100_000);
const PAGE = Number(process.env.PAGE ?? 100);
const MOST_MIB = 512;

if (process.argv[2] === 'source') await serve();
else await bench();

/** Rows of some 200 bytes, made as they are asked for. */
async function serve() {
  const row = (i) => ({
    id: i + 1,
    name: `p${i + 1}`,
    base_experience: (i * 7_919) % 100_003,
    types: ['grass', 'poison'],
    text: `${'lorem ipsum '.repeat(8)}${i}`,
  });
  const server = createServer((request, response) => {
    const from = Number(new URL(request.url, 'http://x').searchParams.get('cursor') ?? 0);
    const items = Array.from({ length: Math.min(PAGE, ROWS - from) }, (_, i) => row(from + i));
    const next = from + PAGE < ROWS ? String(from + PAGE) : null;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ items, next }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send(server.address().port);
}

async function bench() {
  const source = fork(import.meta.filename, ['source']);
  const [port] = await once(source, 'message');
  process.env.HOLDPOINT_ALLOW_PRIVATE_HOSTS = '127.0.0.1';
  const home = benchHome();
  const engine = await home.up();
  const connection = await Connection.connect({ address: engine.temporal });
  const client = new Client({ connection });
  const { rows } = fileStores(home.home);
  const url = `http://127.0.0.1:${port}/`;
  const idle = memory(engine.pid);
  console.log(`${ROWS} rows, ${PAGE} a page; the engine at rest has ${idle.now} MiB`);
  try {
    for (const [what, nodes] of programs(url)) {
      const began = performance.now();
      const id = await start(client, nodes);
      let peak = 0;
      const watch = setInterval(() => (peak = Math.max(peak, memory(engine.pid).now)), 20);
      await reaches(engine.url, id, 'completed');
      clearInterval(watch);
      const seconds = (performance.now() - began) / 1_000;
      const last = nodes.at(-1).id;
      const { count, chunks } = await rows.standing(id, last);
      const first = (await rows.read(id, chunks, 0, 1))[0];
      console.log(
        `${what}: ${seconds.toFixed(1)} s, ${Math.round(ROWS / seconds)} rows/s; ${count} kept in ${chunks.length} chunks, ` +
          `the first is ${JSON.stringify(first).slice(0, 40)}…; at most ${peak} MiB`,
      );
    }
    await delay(0);
    const { most } = memory(engine.pid);
    console.log(`the engine never had more than ${most} MiB, of ${MOST_MIB}`);
    if (most > MOST_MIB) process.exitCode = 1;
  } finally {
    await connection.close();
    await engine.kill('SIGTERM');
    source.kill();
    home.remove();
  }
}

function programs(url) {
  const read = (ops = []) => ({
    ...{ id: 'n1', op: 'read', entity: 'Pokemon', prompt_hash: 'bench', ops },
    source: { http: { url }, items: 'body.items', next: 'body.next', cursor: 'cursor' },
  });
  const then = (ops) => ({ id: 'n2', op: 'rows', from: 'n1', ops });
  return [
    ['read', [read()]],
    [
      'read, a third of it',
      [read([{ filter: [{ field: 'base_experience', op: '<', value: 33_000 }] }, { project: ['id', 'name'] }])],
    ],
    ['read and sort', [read(), then([{ sort: [{ field: 'base_experience', desc: true, type: 'number' }] }])]],
    ['read, sort, the first 10', [read(), then([{ sort: [{ field: 'base_experience', desc: true }] }, { limit: 10 }])]],
    ['read and group', [read(), then([{ group_by: ['types'], aggregate: [{ name: 'n', does: 'count' }] }])]],
  ];
}

async function start(client, nodes) {
  const ids = nodes.map(({ id }) => id);
  const dag = { version: 1, nodes, edges: [], topological_order: ids, returns: ids.slice(-1) };
  const plan_id = crypto.randomUUID();
  const principal = { id: 'local', name: 'bench', org_id: 'local' };
  const definition = planOfProgram({ dag, labels: {} }, 'bench');
  await startWorkflow(
    client,
    {
      ...{ schema_version: 1, plan_id, path: '', principal, definition, inputs: {}, place: { env: {} } },
      ...{ task_queue: 'holdpoint', review: false, trigger: 'bench' },
    },
    { body_hash: '', created_at: Date.now() },
    { workflowIdReusePolicy: 'REJECT_DUPLICATE', workflowIdConflictPolicy: 'FAIL' },
  );
  return plan_id;
}

/** MiB that a process has in memory, and the most that it ever had. */
function memory(pid) {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name) => Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)[1]) / 1_024);
  return { now: of('VmRSS'), most: of('VmHWM') };
}
