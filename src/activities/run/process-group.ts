import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { KILL_GRACE_MS } from '../../contract/payloads.ts';

const CHECK_MS = 20;
/** How long what was killed may take to leave; it cannot refuse, but the system may be busy. */
const KILLED_MS = 2_000;

/** Ends a process group: TERM, and KILL to what is left after the grace. Resolves when nothing of it runs any more. */
export async function endGroup(group: number, graceMs = KILL_GRACE_MS): Promise<void> {
  if (!signalGroup(group, 'SIGTERM') || (await isGone(group, graceMs))) return;
  signalGroup(group, 'SIGKILL');
  await isGone(group, KILLED_MS);
}

async function isGone(group: number, withinMs: number): Promise<boolean> {
  for (const end = performance.now() + withinMs; performance.now() < end; await delay(CHECK_MS))
    if (!runs(group)) return true;
  return false;
}

/** Whether a member still runs. Those that ended and wait for their new parent to reap them do not, and may wait for long. */
function runs(group: number): boolean {
  if (!signalGroup(group, 0)) return false;
  if (process.platform !== 'linux') return true;
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && isLiveMember(name, group));
}

function isLiveMember(pid: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, , itsGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(itsGroup) === group && state !== 'Z' && state !== 'X';
  } catch {
    return false;
  }
}

/** Whether the group still had a member to signal. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  if (group <= 1) throw new Error(`refusing to signal process group ${group}`);
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
