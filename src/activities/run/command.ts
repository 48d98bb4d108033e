import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { HEARTBEAT_INTERVAL_MS, HEARTBEAT_TIMEOUT_MS, KILL_GRACE_MS } from '../../contract/payloads.ts';
import { findShell, GUARD } from './guard.ts';
import { endGroup } from './process-group.ts';

export interface CommandOptions {
  /** Path of the script; bash runs it with -e. */
  script: string;
  directory: string;
  env: Record<string, string>;
  /** Ends the command: TERM to its process group, KILL after the grace. */
  signal: AbortSignal;
  /** Takes output. While a promise that it gave is open, nothing more is read, and the command waits on a full pipe. */
  onOutput(stream: 'stdout' | 'stderr', chunk: Buffer): Promise<unknown> | undefined;
  onStart(pid: number): void;
}

/** How long output may still come after the command itself has ended, through a pipe that something else holds. */
const OUTPUT_GRACE_MS = 1_000;
/** How long a disk that is behind may take for what was still in the pipes when the command ended. */
const SLOW_OUTPUT_MS = 60_000;

/**
 * Runs a script under a guard, in a process group of its own, without input. Resolves with the exit code when the command
 * has ended and nothing of its group is left.
 */
export async function runCommand(options: CommandOptions): Promise<number> {
  options.signal.throwIfAborted();
  const child = spawnGuarded(options);
  const outputs = [passOn(child, 'stdout', options), passOn(child, 'stderr', options)];
  const group = child.pid;
  // A missing directory or program: there is no process, only the error.
  if (group === undefined) throw await once(child, 'error').then(([error]) => error as Error);
  options.onStart(group);
  const alive = child.stdio[3] as Writable;
  alive.on('error', () => {});
  const ticks = setInterval(() => alive.write('\n'), HEARTBEAT_INTERVAL_MS);
  const closed = once(child, 'close');
  const end = () => void endGroup(group);
  options.signal.addEventListener('abort', end, { once: true });
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    // The guard's pipe would keep `close` from coming.
    alive.destroy();
    await lastOutput(closed, () => !options.signal.aborted && outputs.some((output) => output.waits));
    await endGroup(group);
    return code ?? 128 + (signal === 'SIGKILL' ? 9 : 15);
  } finally {
    options.signal.removeEventListener('abort', end);
    clearInterval(ticks);
    for (const stream of child.stdio) stream?.destroy();
  }
}

function spawnGuarded({ script, directory, env }: CommandOptions): ChildProcess {
  const shell = findShell();
  const silence = String((HEARTBEAT_TIMEOUT_MS - 1_000) / 1_000);
  return spawn(shell, ['-c', GUARD, 'holdpoint-guard', silence, String(KILL_GRACE_MS / 1_000), shell, script], {
    cwd: directory,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
}

function passOn(child: ChildProcess, name: 'stdout' | 'stderr', { onOutput }: CommandOptions): { waits: boolean } {
  const output = { waits: false };
  const stream = child[name];
  stream?.on('data', (chunk: Buffer) => {
    const taken = onOutput(name, chunk);
    if (!taken) return;
    output.waits = true;
    stream.pause();
    void taken.finally(() => {
      output.waits = false;
      stream.resume();
    });
  });
  return output;
}

async function lastOutput(closed: Promise<unknown>, diskIsBehind: () => boolean): Promise<void> {
  const all = closed.then(() => true);
  for (const end = Date.now() + SLOW_OUTPUT_MS; Date.now() < end; )
    if ((await Promise.race([all, delay(OUTPUT_GRACE_MS, false, { ref: false })])) || !diskIsBehind()) return;
}
