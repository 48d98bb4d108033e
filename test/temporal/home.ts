import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach } from 'vitest';
import { type Config, loadConfig } from '../../src/config.ts';
import { findEmbeddedServer } from '../../src/temporal/embedded-server.ts';

const cleanups: (() => unknown)[] = [];

/** Undoes what a test set up, the last first. */
afterEach(async () => {
  while (cleanups.length > 0) await cleanups.pop()?.();
});

export function atEnd(cleanup: () => unknown): void {
  cleanups.push(cleanup);
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-test-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A home of the test's own, with the real cache: Temporal is made once per machine. Its server ends with the test. */
export function temporaryHome(changes: Partial<Config> = {}): Config {
  const config = { ...loadConfig(), home: join(temporaryFolder(), 'home'), ...changes };
  atEnd(() => findEmbeddedServer(config)?.stop());
  return config;
}

/** Nobody listens there, and `fetch` would not refuse the port by itself. */
export const REFUSED = 'http://127.0.0.1:2';

/** A config whose cache is empty and whose download is refused at once. */
export function emptyCache(changes: Partial<Config> = {}): Config {
  const folder = temporaryFolder();
  const places = { home: join(folder, 'home'), cache: join(folder, 'cache') };
  return { ...loadConfig({}), ...places, temporalDownloadUrl: REFUSED, ...changes };
}

export function script(path: string, ...lines: string[]): string {
  writeFileSync(path, ['#!/bin/sh', ...lines, ''].join('\n'));
  chmodSync(path, 0o755);
  return path;
}

/** What a real `temporal --version` says. */
export const VERSION_LINE = 'echo "temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)"';

export interface Program {
  child: ChildProcess;
  /** The next line it writes, read as JSON. */
  next(): Promise<unknown>;
}

/** Runs a compiled fixture program; killed at the test's end. */
export function runProgram(file: string, args: string[], env: NodeJS.ProcessEnv): Program {
  const child = spawn(process.execPath, [file, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  atEnd(() => kill(child));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    async next() {
      const { value, done } = await lines.next();
      if (done) throw new Error(`${file} ended without another line`);
      return JSON.parse(value);
    },
  };
}

/** SIGKILL, and waits until it is gone. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
