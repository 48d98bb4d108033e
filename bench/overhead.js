// What a plan costs beside a workflow written by hand: the same no-op activity, server and kind of worker, in alternating pairs.
import { fileURLToPath } from 'node:url';
import { median, spread } from './engine.js';
import { histories, startBench, weigh } from './in-process.js';

const PAIRS = Math.max(7, Number(process.env.PAIRS ?? 7));
const AT_ONCE = 100;
const BY_HAND = 'bench-by-hand';

const tasks = (n, needs) =>
  Array.from({ length: n }, (_, i) => `  t${i}: { needs: [${needs(i)}], run: "true" }\n`).join('');
const plan = (name, body) => `plan: 1\nname: ${name}\nmax_parallel: ${AT_ONCE}\ntasks:\n${body}`;
const CASES = [
  {
    name: 'chain of 100',
    tasks: 100,
    workflow: 'chain',
    plan: plan(
      'chain',
      tasks(100, (i) => (i ? `t${i - 1}` : '')),
    ),
  },
  {
    name: 'fan-out of 500',
    tasks: 500,
    workflow: 'fanOut',
    plan: plan(
      'fan-out',
      tasks(500, () => ''),
    ),
  },
];

const creating = [];
const bench = await startBench({ run: async () => ({ outputs: {} }) });
try {
  await bench.workByHand(fileURLToPath(new URL('overhead-workflow.js', import.meta.url)), BY_HAND);
  for (const given of CASES) await compare(given);
} finally {
  await bench.stop();
}

async function compare(given) {
  const sides = { plan: () => asPlan(given), 'by hand': () => byHand(given) };
  for (const side of Object.values(sides)) await side();
  const times = { plan: [], 'by hand': [] };
  const last = {};
  for (let i = 0; i < PAIRS; i++) {
    const order = i % 2 === 0 ? ['plan', 'by hand'] : ['by hand', 'plan'];
    for (const name of order) {
      last[name] = await sides[name]();
      times[name].push(await lasted(last[name]));
    }
  }
  const ratios = times.plan.map((ms, i) => ms / times['by hand'][i]);
  console.log(`\n${given.name}, ${PAIRS} pairs`);
  console.log(`ratio: ${median(ratios).toFixed(2)}`);
  console.log(`  of each pair: ${spread(ratios, '×', 2)}`);
  console.log(`  reading the plan's text and starting it: ${spread(creating.splice(0))}`);
  for (const name of Object.keys(sides)) {
    const perTask = (n) => (n / given.tasks).toFixed(2);
    const all = weigh(await histories(bench.client, last[name]));
    console.log(`  ${name}: ${spread(times[name])}, ${perTask(median(times[name]))} ms a task`);
    console.log(
      `    a task: ${perTask(all.events)} events, ${perTask(all.workflowTasks)} workflow tasks, ${perTask(all.bytes)} bytes of payloads`,
    );
    console.log(
      `    a task, in ms of history: workflow tasks ${perTask(all.workflowTaskMs)} and waiting for them ${perTask(all.workflowTaskWaitMs)}, activities ${perTask(all.activityMs)} and waiting for them ${perTask(all.activityWaitMs)}`,
    );
  }
}

/** From the workflow's start to its end, in ms; what comes before, the reading of the plan's text, is told apart. */
async function lasted(id) {
  const { startTime, closeTime } = await bench.client.workflow.getHandle(id).describe();
  return closeTime - startTime;
}

async function asPlan(given) {
  const began = performance.now();
  const { id } = await bench.create(given.plan);
  creating.push(performance.now() - began);
  await bench.client.workflow.getHandle(id).result();
  return id;
}

async function byHand({ workflow, tasks }) {
  const id = `by-hand/${workflow}/${performance.now()}`;
  await bench.client.workflow.execute(workflow, {
    workflowId: id,
    taskQueue: BY_HAND,
    args: [{ tasks, at_once: AT_ONCE }],
    workflowTaskTimeout: '5s',
  });
  return id;
}
