// What sessions on the command line cost: `node bench/sessions.js [step] [resume] [ls] [iterations]`, all four when none is named.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import { fileStores } from '../dist/activities/stores.js';
import { localCaller } from '../dist/service/caller.js';
import { sessionPlanId } from '../dist/service/ids.js';
import { createService } from '../dist/service/service.js';
import { hashOfFile } from '../dist/service/source.js';
import { SESSION_FORMAT } from '../dist/service/start-workflow.js';
import { connectClient } from '../dist/temporal/connection.js';
import { benchHome, median, spread } from './engine.js';

const BIN = fileURLToPath(new URL('../bin/holdpoint.js', import.meta.url));
const ROUNDS = 5;
const bench = benchHome();
const engine = await bench.up();

const CASES = { step, resume, ls, iterations };
try {
  const named = process.argv.slice(2);
  for (const name of named.length > 0 ? named : Object.keys(CASES)) await CASES[name]();
} finally {
  await engine.kill('SIGTERM');
  bench.remove();
}

/** A session of 100 steps that do nothing but say when they begin, and the same 100 scripts run by bash in a loop. */
async function step() {
  const n = 100;
  const folder = fresh('step');
  const marks = `${folder}/marks`;
  const script = `echo $EPOCHREALTIME >> ${marks}`;
  writeFileSync(`${folder}/plan.yaml`, planOf(Array(n).fill(script)));
  writeFileSync(`${folder}/loop.sh`, `for i in $(seq ${n}); do bash -e -c '${script}'; done\n`);
  const [ours, bash, over] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    rmSync(marks, { force: true });
    spawnSync('bash', [`${folder}/loop.sh`]);
    bash.push(median(between(marks)));
    rmSync(marks, { force: true });
    await cli(['run', 'plan.yaml'], folder).ended;
    ours.push(median(between(marks)));
    over.push(ours.at(-1) - bash.at(-1));
  }
  console.log(`a session of ${n} steps, from the begin of one to the begin of the next; medians of ${ROUNDS} rounds`);
  console.log(`holdpoint: ${spread(ours, 'ms', 1)}`);
  console.log(`bash -e: ${spread(bash, 'ms', 1)}`);
  console.log(`a step over bash: ${spread(over, 'ms', 1)}`);
}

/** A session of 1,000 steps that is interrupted at the 900th, and again at each after it. */
async function resume() {
  const [n, first] = [Number(process.env.STEPS ?? 1_000), Number(process.env.STEPS ?? 1_000) * 0.9];
  const folder = fresh('resume');
  const marks = `${folder}/marks`;
  const scripts = Array.from({ length: n }, (_, i) => {
    const gated = i >= first && i < first + ROUNDS;
    return `echo ${i} >> ${marks}${gated ? `; test -e ${folder}/gate-${i} || sleep 600` : ''}`;
  });
  writeFileSync(`${folder}/plan.yaml`, planOf(scripts));
  let running = cli(['run', 'plan.yaml'], folder);
  await says(running, /session: \S+/);
  const id = /session: (\S+)/.exec(running.out())[1];
  const took = [];
  for (let at = first; at < first + ROUNDS; at++) {
    await has(marks, String(at));
    await delay(300);
    running.child.kill('SIGINT');
    await running.ended;
    writeFileSync(`${folder}/gate-${at}`, '');
    const before = lines(marks).length;
    const began = performance.now();
    running = cli(['run', 'plan.yaml', '--resume', id], folder);
    while (lines(marks).length <= before) await delay(2);
    took.push((performance.now() - began) / 1_000);
  }
  await running.ended;
  console.log(`\na session of ${n} steps, interrupted at step ${first + 1} and each of the next`);
  console.log(`--resume, from the command to the begin of the step: ${spread(took, 's', 2)}`);
  console.log(`ratio, to \`holdpoint --version\`: ${(median(took) / (await bare(folder))).toFixed(1)}`);
}

/** A home with 1,000 sessions in every state. */
async function ls() {
  const n = Number(process.env.SESSIONS ?? 1_000);
  const folder = fresh('ls');
  const connection = await connectClient({ address: engine.temporal });
  const service = createService(new Client({ connection }), fileStores(bench.home));
  const caller = localCaller('bench');
  const make = async (i) => {
    const [kind, plan, start_at] = sessionKind(i);
    const id = `bench-${kind}-${i}`;
    const plan_id = sessionPlanId(caller.principal.org_id, id);
    const session = {
      format: SESSION_FORMAT,
      id,
      file_hash: hashOfFile(plan),
      file: `${folder}/plan.yaml`,
      directory: folder,
    };
    await service.create(caller, { plan, plan_id, session, start_at, place: { env: { PATH: process.env.PATH } } });
    if (kind === 'interrupted') await service.command(caller, plan_id, 'pause', { interrupt: true });
  };
  for (let i = 0; i < n; i += 20) await Promise.all(Array.from({ length: 20 }, (_, k) => make(i + k)));
  await listed(folder, n);
  await connection.close();
  const [here, all, version] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    here.push(await seconds(['sessions', 'ls'], folder));
    all.push(await seconds(['sessions', 'ls', '--all'], folder));
    version.push(await seconds(['--version'], folder));
  }
  console.log(`\n${n} sessions`);
  console.log(`sessions ls: ${spread(here, 's', 2)}`);
  console.log(`sessions ls --all: ${spread(all, 's', 2)}`);
  console.log(`ratio, sessions ls to \`holdpoint --version\`: ${(median(here) / median(version)).toFixed(1)}`);
}

/** Most have completed; some failed, some were interrupted, and a few are at work. */
function sessionKind(i) {
  if (i % 100 === 0) return ['running', planOf(['sleep 600'])];
  if (i % 10 === 1) return ['failed', planOf(['exit 1'])];
  if (i % 10 === 2) return ['interrupted', planOf(['true']), '2099-01-31T09:00:00Z'];
  return ['completed', 'plan: 1\nname: value\ntasks:\n  one: { set: { value: 1 } }\n'];
}

/** Until the list has all of them, each as it will stay. */
async function listed(folder, n) {
  for (;;) {
    const rows = JSON.parse((await cli(['sessions', 'ls', '--all', '--json'], folder).ended).out);
    if (rows.length === n && rows.every(({ session_id, status }) => session_id.startsWith(`bench-${status}-`))) return;
    await delay(1_000);
  }
}

async function iterations() {
  const costs = [];
  for (const [n, steps] of [
    [Number(process.env.ITERATIONS ?? 10_000), 1],
    [Number(process.env.ITERATIONS ?? 10_000) / 10, 3],
  ]) {
    const folder = fresh('iterations');
    const marks = `${folder}/marks`;
    const over = JSON.stringify(Array.from({ length: n }, (_, i) => i));
    const scripts = Array.from({ length: steps }, (_, i) => (i === 0 ? `echo $EPOCHREALTIME >> ${marks}` : 'true'));
    writeFileSync(`${folder}/plan.yaml`, planOf(scripts, `iterate: { over: ${over} }\n`));
    const { code, err } = await cli(['run', 'plan.yaml', '--json'], folder).ended;
    const times = lines(marks).map(Number);
    if (code !== 0 || times.length !== n) throw new Error(`${code}, ${times.length} of ${n}: ${err}`);
    const ms = ((times.at(-1) - times[0]) * 1_000) / (n - 1);
    costs.push(ms / steps);
    console.log(
      `\n${n} iterations of ${steps === 1 ? 'one step' : `${steps} steps`}: ${ms.toFixed(1)} ms an iteration`,
    );
  }
  console.log(`ratio: ${(costs[1] / costs[0]).toFixed(2)} (a step of three to one that is alone in its iteration)`);
}

function planOf(scripts, more = '') {
  return `plan: 1\nname: bench\n${more}steps:\n${scripts.map((script) => `  - run: ${JSON.stringify(script)}\n`).join('')}`;
}

/** The command line in this home, as its users have it. */
function cli(args, cwd) {
  const env = { ...process.env, HOLDPOINT_HOME: bench.home, NO_COLOR: '1' };
  const child = spawn(process.execPath, [BIN, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  return { child, out: () => out, ended: once(child, 'close').then(([code]) => ({ code, out, err })) };
}

async function seconds(args, cwd) {
  const began = performance.now();
  const { code, err } = await cli(args, cwd).ended;
  if (code !== 0) throw new Error(err);
  return (performance.now() - began) / 1_000;
}

/** The command line with nothing to do, in seconds. */
async function bare(cwd) {
  const took = [];
  for (let round = 0; round < ROUNDS; round++) took.push(await seconds(['--version'], cwd));
  return median(took);
}

async function says({ out }, pattern) {
  while (!pattern.test(out())) await delay(2);
}

async function has(file, line) {
  while (lines(file).at(-1) !== line) await delay(5);
}

/** From each line of seconds to the next, in ms. */
function between(file) {
  const times = lines(file).map(Number);
  return times.slice(1).map((time, i) => (time - times[i]) * 1_000);
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
