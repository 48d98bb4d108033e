import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { HEARTBEAT_INTERVAL_MS, HEARTBEAT_TIMEOUT_MS, KILL_GRACE_MS } from '../contract/payloads.ts';
import { findShell, GUARD } from './guard.ts';
import { endGroup } from './process-group.ts';

export interface CommandOptions {
  /** Path of the script; bash runs it with -e. */
  script: string;
  directory: string;
  env: Record<string, string>;
  /** Ends the command: TERM to its process group, KILL after the grace. */
  signal: AbortSignal;
  onOutput(stream: 'stdout' | 'stderr', chunk: Buffer): void;
  onStart(pid: number): void;
}

/** How long output may still come after the command itself has ended, through a pipe that something else holds. */
const OUTPUT_GRACE_MS = 1_000;

/**
 * Runs a script under a guard, in a process group of its own, without input. Resolves with the exit code when the command
 * has ended and nothing of its group is left.
 */
export async function runCommand(options: CommandOptions): Promise<number> {
  options.signal.throwIfAborted();
  const child = spawnGuarded(options);
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
    await Promise.race([closed, delay(OUTPUT_GRACE_MS, undefined, { ref: false })]);
    await endGroup(group);
    return code ?? 128 + (signal === 'SIGKILL' ? 9 : 15);
  } finally {
    options.signal.removeEventListener('abort', end);
    clearInterval(ticks);
    for (const stream of child.stdio) stream?.destroy();
  }
}

function spawnGuarded({ script, directory, env, onOutput }: CommandOptions): ChildProcess {
  const shell = findShell();
  const silence = String((HEARTBEAT_TIMEOUT_MS - 1_000) / 1_000);
  const child = spawn(shell, ['-c', GUARD, 'holdpoint-guard', silence, String(KILL_GRACE_MS / 1_000), shell, script], {
    cwd: directory,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  child.stdout?.on('data', (chunk: Buffer) => onOutput('stdout', chunk));
  child.stderr?.on('data', (chunk: Buffer) => onOutput('stderr', chunk));
  return child;
}
