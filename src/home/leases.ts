import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { Fault } from '../faults.ts';
import { readRecord, removeRecord, withHomeLock, writeRecord } from './home-lock.ts';
import { identify, isAlive, ProcessIdentity } from './process-identity.ts';

/**
 * Which process a session belongs to. While that runs, so may the session's plan; when it is gone, and has not let go of the
 * session, the engine interrupts the plan.
 */
const schema = ProcessIdentity.extend({
  plan_id: z.uuid(),
  session_id: z.string().min(1),
  org_id: z.string().min(1),
  /** ISO 8601. */
  since: z.string(),
  host: z.string(),
  directory: z.string(),
  /** Its process has let go of it: nothing is to be interrupted. ISO 8601. */
  released: z.string().optional(),
});
export type Lease = z.infer<typeof schema>;
export type LeaseOf = Pick<Lease, 'plan_id' | 'session_id' | 'org_id' | 'directory'>;

const folder = (home: string) => join(home, 'sessions');
const pathOf = (home: string, planId: string) => join(folder(home), `${planId}.json`);

export const isHeld = (lease: Lease): boolean => lease.released === undefined && isAlive(lease);
/** Nobody holds it, and nobody has let go of it. */
export const isLost = (lease: Lease): boolean => lease.released === undefined && !isAlive(lease);

/** Makes this process the session's; gives the lease that a dead one left. Throws SESSION_RUNNING when a live one has it. */
export async function takeLease(home: string, of: LeaseOf): Promise<Lease | undefined> {
  const path = pathOf(home, of.plan_id);
  return await withHomeLock(path, async () => {
    const before = readRecord(path, schema);
    if (before && isHeld(before) && before.pid !== process.pid)
      throw new Fault('SESSION_RUNNING', `session ${of.session_id} is running elsewhere: ${whereIs(before)}`);
    writeRecord(path, { ...of, ...identify(), since: new Date().toISOString(), host: hostname() } satisfies Lease);
    return before && isLost(before) ? before : undefined;
  });
}

const whereIs = ({ pid, since, host, directory }: Lease): string =>
  `process ${pid} on ${host}, since ${since}, in ${directory}`;

/** Lets go of a session that is this process's. What was released stays for a moment, for whoever looks for the last one. */
export async function releaseLease(home: string, planId: string): Promise<void> {
  const path = pathOf(home, planId);
  await withHomeLock(path, async () => {
    const mine = readRecord(path, schema);
    if (mine?.pid === process.pid) writeRecord(path, { ...mine, released: new Date().toISOString() });
  });
}

/** Marks what a dead process has left as seen to, unless somebody has taken it meanwhile. */
export async function settleLost(home: string, lost: Lease): Promise<void> {
  const path = pathOf(home, lost.plan_id);
  await withHomeLock(path, async () => {
    const now = readRecord(path, schema);
    if (now?.pid === lost.pid && now.started === lost.started)
      writeRecord(path, { ...now, released: new Date().toISOString() });
  });
}

export function readLease(home: string, planId: string): Lease | undefined {
  return readRecord(pathOf(home, planId), schema);
}

export function readLeases(home: string): Lease[] {
  mkdirSync(folder(home), { recursive: true, mode: 0o700 });
  const names = readdirSync(folder(home)).filter((name) => name.endsWith('.json'));
  return names.flatMap((name) => readRecord(join(folder(home), name), schema) ?? []);
}

export const removeLease = (home: string, planId: string): void => removeRecord(pathOf(home, planId));

/** Removes what was released longer ago than that. */
export function forgetReleased(home: string, leases: Lease[], olderThanMs: number): void {
  for (const { plan_id, released } of leases)
    if (released !== undefined && Date.now() - Date.parse(released) > olderThanMs)
      rmSync(pathOf(home, plan_id), { force: true });
}
