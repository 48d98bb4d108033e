import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Client, type Connection } from '@temporalio/client';
import { loadConfig } from '../../src/config.ts';
import { workflowId } from '../../src/contract/names.ts';
import { readEngine } from '../../src/engine/engine-record.ts';
import { connectClient } from '../../src/temporal/connection.ts';
import { isRunning } from './processes.ts';
import { tempDir, until } from './world.ts';

export const BIN = join(import.meta.dirname, '../../bin/holdpoint.js');

/** A home of its own, with the engines and commands that a test starts in it as its users would. */
export function newHome(more: NodeJS.ProcessEnv = {}) {
  const home = tempDir('home');
  const env = { ...process.env, HOLDPOINT_HOME: home, NO_COLOR: '1', PORT: '', ...more };
  const config = loadConfig(env);
  return {
    home,
    config,

    /** `holdpoint up` in the foreground; resolves when it is ready. */
    async up(port?: number) {
      const child = spawn(process.execPath, [BIN, 'up'], {
        env: { ...env, ...(port && { PORT: String(port) }) },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
      let output = '';
      child.stdout.on('data', (chunk) => (output += chunk));
      child.stderr.on('data', (chunk) => (output += chunk));
      const record = await until(
        'the engine is ready',
        () => {
          if (child.exitCode !== null) throw new Error(`the engine ended: ${output}`);
          const engine = readEngine(config);
          return engine?.ready && engine.pid === child.pid && engine;
        },
        900_000,
      );
      return {
        child,
        url: record.api!,
        temporal: record.temporal!,
        output: () => output,
        kill: () => end(child, 'SIGKILL'),
        stop: () => end(child, 'SIGTERM'),
      };
    },

    /** Runs the command line to its end. */
    async cli(...args: string[]) {
      return await this.start(args).done;
    },
    start(args: string[], more: NodeJS.ProcessEnv = {}, cwd = process.cwd()) {
      const child = spawn(process.execPath, [BIN, ...args], {
        cwd,
        env: { ...env, ...more },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let [out, err] = ['', ''];
      child.stdout.on('data', (chunk) => (out += chunk));
      child.stderr.on('data', (chunk) => (err += chunk));
      const done = once(child, 'close').then(([code]) => ({ code: code as number, out, err, all: out + err }));
      return { child, done, out: () => out, all: () => out + err };
    },

    /** Everything of this home that lives: its engine, its Temporal server, commands of its tasks. */
    processes: () => processesOf(home),
    async end() {
      for (const pid of processesOf(home)) signal(pid, 'SIGKILL');
      await until('the processes of the home are gone', () => processesOf(home).length === 0);
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function end(child: ChildProcess, name: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(name);
  await gone;
}

/** Kills a process when a plan's history has reached an event, or its end: faults at a chosen point, not at a chosen time. */
export async function killAtEvent(pid: number, temporal: string, planId: string, event: number): Promise<number> {
  const connection: Connection = await connectClient({ address: temporal });
  try {
    const handle = new Client({ connection }).workflow.getHandle(workflowId('local', planId));
    for (;;) {
      const { historyLength, status } = await handle.describe();
      if (historyLength < event && status.name === 'RUNNING') continue;
      process.kill(pid, 'SIGKILL');
      return historyLength;
    }
  } finally {
    await connection.close();
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

function processesOf(home: string): number[] {
  const read = (pid: number, name: string) => {
    try {
      return name === 'cwd' ? readlinkSync(`/proc/${pid}/cwd`) : readFileSync(`/proc/${pid}/${name}`, 'utf8');
    } catch {
      return '';
    }
  };
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const isOurs = (pid: number) => ['environ', 'cmdline', 'cwd'].some((name) => read(pid, name).includes(home));
  return pids.filter((pid) => pid !== process.pid && isRunning(pid) && isOurs(pid));
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone already.
  }
}

/** Talks to an engine as a backend would. */
export function http(url: string) {
  const call = async (method: string, path: string, body?: string | object, headers: Record<string, string> = {}) => {
    const type: Record<string, string> =
      body === undefined ? {} : { 'content-type': typeof body === 'string' ? 'application/yaml' : 'application/json' };
    const response = await fetch(url + path, {
      method,
      headers: { ...type, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: text ? JSON.parse(text) : undefined };
  };
  return {
    get: (path: string) => call('GET', path),
    put: (path: string, body?: object, headers?: Record<string, string>) => call('PUT', path, body, headers),
    post: (path: string, body: string | object, headers?: Record<string, string>) => call('POST', path, body, headers),
    delete: (path: string) => call('DELETE', path),
    create: async (plan: string): Promise<string> => {
      const answer = await call('POST', '/api/plans', plan);
      if (answer.status !== 201) throw new Error(`create: ${answer.status} ${answer.text}`);
      return answer.json.plan_id;
    },
    state: async (id: string): Promise<string> => (await call('GET', `/api/plans/${id}`)).json.state.status,
  };
}
