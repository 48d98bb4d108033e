// An engine in a home of its own, for the benchmarks beside this file.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../bin/holdpoint.js', import.meta.url));

export function benchHome() {
  const home = mkdtempSync(join(tmpdir(), 'holdpoint-bench-'));
  return {
    home,
    path: (name) => join(home, name),
    /** Starts the engine; resolves when it is ready, with how long that took in ms. */
    async up() {
      const began = performance.now();
      const child = spawn(process.execPath, [BIN, 'up'], {
        env: { ...process.env, HOLDPOINT_HOME: home, PORT: '' },
        stdio: 'ignore',
      });
      for (;;) {
        const engine = readJson(join(home, 'engine.json'));
        if (engine?.ready && engine.pid === child.pid) {
          const kill = async (signal) => {
            const gone = once(child, 'exit');
            child.kill(signal);
            await gone;
          };
          return { pid: child.pid, url: engine.api, temporal: engine.temporal, ms: performance.now() - began, kill };
        }
        if (child.exitCode !== null) throw new Error(`the engine ended with ${child.exitCode}`);
        await delay(5);
      }
    },
    remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }),
  };
}

export function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

export async function call(url, method, path, body) {
  const isPlan = typeof body === 'string';
  const headers = body && { 'content-type': isPlan ? 'application/yaml' : 'application/json' };
  const response = await fetch(url + path, { method, headers, body: isPlan ? body : JSON.stringify(body) });
  const text = await response.text();
  return { status: response.status, json: text ? JSON.parse(text) : undefined };
}

export async function create(url, plan) {
  const { status, json } = await call(url, 'POST', '/api/plans', plan);
  if (status !== 201) throw new Error(JSON.stringify(json));
  return json.plan_id;
}

export async function reaches(url, id, status) {
  for (;;) {
    const { json } = await call(url, 'GET', `/api/plans/${id}`);
    if (json.state.status === status) return json;
    if (json.state.status === 'failed') throw new Error(JSON.stringify(json.error));
    await delay(10);
  }
}

export const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
export const median = (numbers) => sorted(numbers)[Math.floor(numbers.length / 2)];
/** Median with the least and the greatest, in `unit`. */
export function spread(numbers, unit = 'ms', digits = 0) {
  const all = sorted(numbers);
  const show = (n) => n.toFixed(digits);
  return `${show(median(all))} ${unit} (${show(all[0])}–${show(all.at(-1))}, n=${all.length})`;
}
