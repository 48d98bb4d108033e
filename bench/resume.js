// How soon work goes on: `node bench/resume.js [killed] [large] [luigi]`, all three when none is named.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { benchHome, call, create, median, reaches, spread } from './engine.js';

const STEPS = 20;
const ROUNDS = 5;
const LUIGI = fileURLToPath(new URL('luigi-steps.py', import.meta.url));
const bench = benchHome();
let engine = await bench.up();

const CASES = { killed, large, luigi };
try {
  const named = process.argv.slice(2);
  for (const name of named.length > 0 ? named : Object.keys(CASES)) await CASES[name]();
} finally {
  await engine.kill('SIGTERM');
  bench.remove();
}

/** The engine is killed with kill -9 in a plan of 20 steps of 100 ms, and started again. */
async function killed() {
  const restarts = [];
  for (let round = 0; round < ROUNDS; round++) restarts.push(await holdpointKilled());
  report('restart', restarts);
  console.log(`steps run twice: ${restarts.map(({ twice }) => twice).join(' ')}`);
}

/** 10,000 tasks of which 9,000 have completed: resumed after a failure, and gone on with after kill -9. */
async function large() {
  const [tasks, done] = [Number(process.env.TASKS ?? 10_000), 0.9];
  const [gate, next] = [bench.path('gate'), bench.path('next')];
  const chains = 100;
  const before = Math.round(tasks * done);
  const task = (i) => {
    if (i < before) return `  t${i}: { needs: [${i < chains ? '' : `t${i - chains}`}], run: ":" }`;
    if (i === before) {
      const last = Array.from({ length: chains }, (_, n) => `t${before - 1 - n}`).join(', ');
      return `  t${i}: { needs: [${last}], run: 'test -e "${gate}"' }`;
    }
    return `  t${i}: { needs: [t${before}], run: 'echo >> "${next}"; sleep 0.1' }`;
  };
  const text = Array.from({ length: tasks }, (_, i) => task(i)).join('\n');
  const plan = `plan: 1\nname: large\nmax_parallel: ${chains}\ntasks:\n${text}\n`;
  console.log(`\na plan of ${tasks} tasks, ${before} of them completed`);
  const id = await create(engine.url, plan);
  await reaches(engine.url, id, 'failed');
  writeFileSync(gate, '');
  let began = performance.now();
  await resume(id);
  await written(next, 0);
  console.log(`resume-to-next-task: ${seconds(began)}`);
  await engine.kill('SIGKILL');
  await delay(500);
  const already = lines(next).length;
  began = performance.now();
  const starting = bench.up();
  await written(next, already);
  console.log(`restart-to-next-task: ${seconds(began)}`);
  engine = await starting;
  await reaches(engine.url, id, 'completed');
  const twice = lines(next).length - (tasks - before - 1);
  console.log(`tasks run twice: ${twice} (at most the ${chains} that were running)`);
}

/** The same chain of file-writing steps, killed and started again, and resumed after a failure. */
async function luigi() {
  if (spawnSync('python3', ['-c', 'import luigi']).status !== 0) {
    console.log('\nno comparison with Luigi: pip install luigi');
    return;
  }
  console.log('\nthe same file-writing steps, killed with kill -9 and started again');
  const [ours, theirs] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await holdpointKilled());
    theirs.push(await luigiKilled(round));
  }
  report('holdpoint', ours);
  report('luigi', theirs);
  ratio('restart-to-end', ours, theirs, 'toEnd');
  console.log('\nthe same steps, resumed from the one that had failed (Holdpoint: its engine is up)');
  const resumed = [];
  for (let round = 0; round < ROUNDS; round++) resumed.push({ toNext: await holdpointResumed(round) });
  console.log(
    `holdpoint resume-to-next-step: ${spread(
      resumed.map((it) => it.toNext),
      's',
      2,
    )}`,
  );
  ratio('resume-to-next-step', resumed, theirs, 'toNext');
}

async function holdpointKilled() {
  const folder = fresh('killed');
  const started = `${folder}/started`;
  await create(engine.url, steps(folder));
  while (lines(started).length < 8) await delay(2);
  await delay(50);
  await engine.kill('SIGKILL');
  await delay(500);
  let starting;
  const times = await timed(started, () => {
    starting = bench.up();
  });
  engine = await starting;
  return times;
}

async function luigiKilled(round) {
  const folder = fresh(`luigi-${round}`);
  const start = () => spawn('python3', [LUIGI, folder, STEPS], { stdio: 'ignore' });
  const first = start();
  while (lines(`${folder}/started`).length < 8) await delay(2);
  await delay(50);
  const gone = once(first, 'exit');
  first.kill('SIGKILL');
  await gone;
  await delay(500);
  let second;
  const times = await timed(`${folder}/started`, () => {
    second = once(start(), 'exit');
  });
  await second;
  return times;
}

async function holdpointResumed(round) {
  const folder = fresh(`resumed-${round}`);
  const gate = `${folder}/gate`;
  const id = await create(engine.url, steps(folder, `test 8 != "$N" || test -e "${gate}"`));
  await reaches(engine.url, id, 'failed');
  writeFileSync(gate, '');
  const before = lines(`${folder}/started`).length;
  const began = performance.now();
  await resume(id);
  await written(`${folder}/started`, before);
  const took = (performance.now() - began) / 1_000;
  await reaches(engine.url, id, 'completed');
  return took;
}

async function resume(id) {
  const { status, json } = await call(engine.url, 'POST', `/api/plans/${id}/runs`, { mode: 'resume' });
  if (status >= 300) throw new Error(JSON.stringify(json));
}

/** A plan whose steps say when they start, take 100 ms and write a file. */
function steps(folder, check = 'true') {
  const step = (i) =>
    `  - { env: { N: "${i}" }, run: 'echo $N >> "${folder}/started"; ${check} && sleep 0.1 && echo $N > "${folder}/$N.txt"' }`;
  return `plan: 1\nname: steps\nsteps:\n${Array.from({ length: STEPS }, (_, i) => step(i)).join('\n')}\n`;
}

/** From the start until the next step starts, and until the last one has, in seconds. */
async function timed(started, start) {
  const before = lines(started).length;
  const began = performance.now();
  const since = () => (performance.now() - began) / 1_000;
  start();
  await written(started, before);
  const toNext = since();
  while (new Set(lines(started)).size < STEPS) await delay(2);
  return { toNext, toEnd: since(), twice: lines(started).length - STEPS };
}

async function written(file, before) {
  while (lines(file).length <= before) await delay(2);
}

function lines(file) {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

function fresh(name) {
  const folder = bench.path(name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  return folder;
}

function seconds(began) {
  return `${((performance.now() - began) / 1_000).toFixed(2)} s`;
}

function report(name, times) {
  const of = (key) => times.map((time) => time[key]);
  const prefix = name === 'restart' ? '' : `${name} `;
  console.log(`${prefix}restart-to-next-step: ${spread(of('toNext'), 's', 2)}`);
  console.log(`${prefix}restart-to-end: ${spread(of('toEnd'), 's', 2)}`);
}

function ratio(what, ours, theirs, key) {
  const of = (times) => median(times.map((time) => time[key]));
  console.log(`ratio, ${what}: ${(of(ours) / of(theirs)).toFixed(2)} (Holdpoint to Luigi; below 1 is sooner)`);
}
