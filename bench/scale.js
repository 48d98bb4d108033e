// What a task and an item cost at each size: `node bench/scale.js [tasks] [map] [beside]`, all three when none is named.
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { heartbeat } from '@temporalio/activity';
import { median } from './engine.js';
import { histories, startBench, weigh } from './in-process.js';

const OUTPUT_BYTES = 4_096;
const CHAINS = 100;
const LONG_MS = Number(process.env.LONG_S ?? 60) * 1_000;
const TASKS = sizes(process.env.TASKS ?? '100,1000,10000');
const MAP_ITEMS = sizes(process.env.MAP_ITEMS ?? '1000,10000,100000');

const bench = await startBench({ run });
const CASES = { tasks: manyTasks, map: longMap, beside: besideLongTask };
try {
  const named = process.argv.slice(2);
  for (const name of named.length > 0 ? named : Object.keys(CASES)) await CASES[name]();
} finally {
  await bench.stop();
}

/** As the real `run` gives its output: inline when small and while there is room, else by reference. */
async function run({ task, with: { script }, inline_limit }, store) {
  if (script === 'long') {
    for (const end = Date.now() + LONG_MS; Date.now() < end; await delay(500)) heartbeat();
    return { outputs: { stdout: task, exit_code: 0 } };
  }
  if (script !== 'random') return { outputs: {} };
  const text = randomBytes(OUTPUT_BYTES).toString('base64').slice(0, OUTPUT_BYTES);
  return { outputs: { stdout: text.length > inline_limit ? await store.putText(text) : text, exit_code: 0 } };
}

/** Chains side by side, so that a hundred tasks run at any time. */
async function manyTasks() {
  const need = (i) => (i < CHAINS ? '' : `t${i - CHAINS}`);
  await atEachSize('task', TASKS, (n) => {
    const tasks = Array.from({ length: n }, (_, i) => `  t${i}: { needs: [${need(i)}], run: random }\n`).join('');
    return [
      `${n} tasks with ${OUTPUT_BYTES} bytes of output each`,
      `plan: 1\nname: many\nmax_parallel: ${CHAINS}\ntasks:\n${tasks}`,
    ];
  });
}

async function longMap() {
  const plan = `
plan: 1
name: map
inputs: { items: { type: array } }
tasks:
  each: { map: { in: "inputs.items", max_parallel: ${CHAINS}, task: { run: "true" } } }
`;
  await atEachSize('item', MAP_ITEMS, (n) => [
    `a map of ${n} items`,
    plan,
    { inputs: { items: Array.from({ length: n }, (_, i) => i) } },
  ]);
}

/** Small plans are run more than once, for the median; the first of all is not counted: it finds the code cold. */
async function atEachSize(unit, all, planOf) {
  await measure(...planOf(all[0]));
  const costs = [];
  for (const n of all) {
    const times = [];
    for (let left = Math.max(1, Math.min(5, Math.floor(5_000 / n))); left > 0; left--) {
      const measured = await measure(...planOf(n));
      if (measured) times.push(measured.ms / n);
    }
    if (times.length > 0) costs.push([n, median(times)]);
  }
  console.log('');
  for (const [n, cost] of costs)
    console.log(
      `${unit}, of ${n}: ${cost.toFixed(2)} ms, ratio ${(cost / costs[0][1]).toFixed(2)} to one of ${costs[0][0]}`,
    );
}

/** How long a chain takes by itself, and with a task beside it that outlasts it. */
async function besideLongTask() {
  const n = Number(process.env.CHAIN ?? 3_000);
  const chain = Array.from(
    { length: n },
    (_, i) => `  t${i}: { needs: [${i ? `t${i - 1}` : ''}], run: "true" }\n`,
  ).join('');
  const took = [];
  for (const long of ['', '  long: { run: long }\n']) {
    const what = `a chain of ${n}${long && ` beside a task of ${LONG_MS / 1_000} s`}`;
    const measured = await measure(what, `plan: 1\nname: beside\ntasks:\n${long}${chain}`);
    if (!measured) return;
    const { tasks } = await bench.service.read(bench.caller, measured.plan_id);
    const at = (id) => tasks.find((task) => task.id === id);
    took.push(Date.parse(at(`t${n - 1}`).ended_at) - Date.parse(at('t0').started_at));
    console.log(`  the chain took ${(took.at(-1) / 1_000).toFixed(1)} s`);
  }
  console.log(`ratio: ${(took[1] / took[0]).toFixed(2)} (the chain beside the long task to the chain alone)`);
}

/** Runs a plan to its end and says how, how large its histories are and how much memory this process took. */
async function measure(what, plan, more = {}) {
  console.log(`\n${what}`);
  let rss = 0;
  const sampling = setInterval(() => {
    rss = Math.max(rss, process.memoryUsage().rss);
  }, 100);
  const began = performance.now();
  try {
    const { id, plan_id } = await bench.create(plan, more);
    const ended = await Promise.race([endOf(id), stuck(id)]);
    const ms = performance.now() - began;
    clearInterval(sampling);
    console.log(
      `  ended: ${ended}, in ${(ms / 1_000).toFixed(1)} s; most memory of the worker's process ${megabytes(rss)}`,
    );
    const all = weigh(await histories(bench.client, id));
    console.log(
      `  runs: ${all.runs}, events: ${all.events}, longest history: ${all.longest}; payloads: ${megabytes(all.bytes)}, the largest ${all.largest} bytes`,
    );
    return ended === 'completed' ? { ms, plan_id } : undefined;
  } catch (error) {
    console.log(`  refused: ${error.code ?? error.name}: ${error.message.slice(0, 300)}`);
    return undefined;
  } finally {
    clearInterval(sampling);
  }
}

function endOf(id) {
  return bench.client.workflow
    .getHandle(id)
    .result()
    .then(({ state }) => state)
    .catch((error) => `${error.cause?.type ?? error.name}: ${error.cause?.message ?? error.message}`);
}

/** A workflow task that fails again and again would be tried for ever. */
async function stuck(id) {
  const handle = bench.client.workflow.getHandle(id);
  for (;;) {
    await delay(2_000);
    const { status, raw } = await handle.describe();
    if (status.name !== 'RUNNING') return await endOf(id);
    if ((raw.pendingWorkflowTask?.attempt ?? 0) < 4) continue;
    const { events = [] } = await handle.fetchHistory();
    const failure = events.findLast((event) => event.workflowTaskFailedEventAttributes);
    await handle.terminate('stuck');
    return `stuck: ${failure?.workflowTaskFailedEventAttributes?.failure?.message ?? 'its workflow task does not end'}`;
  }
}

function sizes(text) {
  return text.split(',').map(Number);
}

function megabytes(bytes) {
  return `${(bytes / 1_048_576).toFixed(1)} MB`;
}
