// Plans of the greatest size: `node bench/size.js [tasks] [map] [beside]`, all three when none is named.
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { heartbeat } from '@temporalio/activity';
import { histories, startBench, weigh } from './in-process.js';

const OUTPUT_BYTES = 4_096;
const CHAINS = 100;
const LONG_MS = Number(process.env.LONG_S ?? 60) * 1_000;
const MAP_ITEMS = Number(process.env.MAP_ITEMS ?? 100_000);

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
  const perTask = [];
  for (const n of [1_000, 10_000]) {
    const need = (i) => (i < CHAINS ? '' : `t${i - CHAINS}`);
    const tasks = Array.from({ length: n }, (_, i) => `  t${i}: { needs: [${need(i)}], run: random }\n`).join('');
    const measured = await measure(
      `${n} tasks with ${OUTPUT_BYTES} bytes of output each`,
      `plan: 1\nname: many\nmax_parallel: ${CHAINS}\ntasks:\n${tasks}`,
    );
    if (measured) perTask.push(measured.ms / n);
    if (measured) console.log(`  time a task: ${(measured.ms / n).toFixed(2)} ms`);
  }
  if (perTask.length === 2)
    console.log(`ratio: ${(perTask[1] / perTask[0]).toFixed(2)} (a task of 10,000 to one of 1,000)`);
}

async function longMap() {
  const items = Array.from({ length: MAP_ITEMS }, (_, i) => i);
  const plan = `
plan: 1
name: map
inputs: { items: { type: array } }
tasks:
  each: { map: { in: "inputs.items", max_parallel: 100, task: { run: "true" } } }
`;
  const measured = await measure(`a map of ${MAP_ITEMS} items`, plan, { inputs: { items } });
  if (measured) console.log(`  time an item: ${(measured.ms / MAP_ITEMS).toFixed(2)} ms`);
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

function megabytes(bytes) {
  return `${(bytes / 1_048_576).toFixed(1)} MB`;
}
