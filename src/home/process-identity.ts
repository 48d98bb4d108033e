import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { Fault } from '../faults.ts';

/** One process, told apart from a later one that was given the same pid. */
export const ProcessIdentity = z.object({ pid: z.int().positive(), started: z.string().min(1) });
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;

/** Who a process is; of another process undefined when it does not run. */
export function identify(): ProcessIdentity;
export function identify(pid: number): ProcessIdentity | undefined;
export function identify(pid = process.pid): ProcessIdentity | undefined {
  const started = startOf(pid);
  return started === undefined ? undefined : { pid, started };
}

export function isAlive(identity: ProcessIdentity): boolean {
  return startOf(identity.pid) === identity.started;
}

/** Ends a process and what it started in its group: TERM, then KILL after `graceMs`. Returns when it is gone. */
export async function endProcess(identity: ProcessIdentity, graceMs: number): Promise<void> {
  signal(identity, 'SIGTERM');
  if (await isGone(identity, graceMs)) return;
  signal(identity, 'SIGKILL');
  if (!(await isGone(identity, 5000))) throw new Fault('ENGINE_UNAVAILABLE', `Process ${identity.pid} cannot be ended`);
}

/** When the process started, in the system's own words; undefined for none and for a zombie, which only waits to be reaped. */
function startOf(pid: number): string | undefined {
  return process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid);
}

function startFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets, and may itself have spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, threads, startTicks] = [fields[0], Number(fields[17]), fields[19]];
    // Its first thread may be gone while others still hold its ports and files: then it is not gone yet.
    const isGone = state === 'X' || (state === 'Z' && threads <= 1);
    return isGone ? undefined : `${startTicks}@${bootId()}`;
  } catch {
    return undefined;
  }
}

/** Ticks count from boot, so after a restart of the machine the same pid and ticks may be another process. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8);
  } catch {
    return 'unknown';
  }
}

function startFromPs(pid: number): string | undefined {
  try {
    // The time is written in the caller's zone and language: fix both, for every process must read the same words.
    const env = { ...process.env, TZ: 'UTC', LC_ALL: 'C' };
    const args = ['-o', 'state=', '-o', 'lstart=', '-p', `${pid}`];
    const line = execFileSync('ps', args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const [state = '', ...start] = line.trim().split(/\s+/);
    return state.startsWith('Z') || start.length === 0 ? undefined : start.join(' ');
  } catch {
    return undefined;
  }
}

function signal(identity: ProcessIdentity, name: NodeJS.Signals): void {
  if (!isAlive(identity)) return;
  for (const target of [-identity.pid, identity.pid]) {
    try {
      process.kill(target, name);
      return;
    } catch {
      // Not the leader of a group, or gone in between: the next target, or nothing to do.
    }
  }
}

async function isGone(identity: ProcessIdentity, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (isAlive(identity)) {
    if (performance.now() > deadline) return false;
    await sleep(25);
  }
  return true;
}
