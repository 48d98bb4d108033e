import { resolve } from 'node:path';
import { Fault } from '../../faults.ts';
import { isLost, readLeases } from '../../home/leases.ts';
import type { Session } from '../../service/sessions.ts';
import type { Cli } from '../cli.ts';
import type { Engine } from '../with-engine.ts';
import { heldBy, sessionStatus } from './standing.ts';

/** Which session is meant: one by its id, or the last that was interrupted, of this file where one is given. */
export interface Wanted {
  resume?: string;
  resumeLast?: true;
  file?: string;
}

/** The session that is meant; throws PLAN_NOT_FOUND. */
export async function chooseSession(cli: Cli, engine: Engine, home: string, { resume, file }: Wanted) {
  if (resume === undefined) return await lastInterrupted(cli, engine, home, file);
  try {
    return await engine.service.session(engine.caller, resume);
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'PLAN_NOT_FOUND') throw error;
    throw new Fault('PLAN_NOT_FOUND', `${error.message}; list them: ${cli.self} sessions ls --all`, { cause: error });
  }
}

async function lastInterrupted(cli: Cli, engine: Engine, home: string, file: string | undefined): Promise<Session> {
  const path = file === undefined ? undefined : resolve(cli.directory, file);
  const all = (await knownSessions(engine, home)).filter(({ session }) => isWanted(session, cli.directory, path));
  for (const { session, holder } of all) if (holder) await mustNotBeEnding(engine, session, holder);
  const found = all.filter(({ since }) => since !== undefined).sort((a, b) => b.since! - a.since!);
  if (found[0]) return found[0].session;
  const of = file === undefined ? '' : ` of ${file}`;
  throw new Fault(
    'PLAN_NOT_FOUND',
    `no session${of} was interrupted in this directory; list all of them: ${cli.self} sessions ls --all`,
  );
}

const isWanted = (session: Session, directory: string, path: string | undefined): boolean =>
  session.directory === directory && (path === undefined || session.file === path);

/** The last that was interrupted is one that still ends what it runs, and no earlier one. Throws SESSION_RUNNING. */
async function mustNotBeEnding({ service, caller }: Engine, { plan_id, session_id }: Session, where: string) {
  const { pausing, hold } = await service.read(caller, plan_id);
  if (pausing && hold?.reason === 'interrupted')
    throw new Fault(
      'SESSION_RUNNING',
      `session ${session_id} is just being interrupted: ${where}; try again when what it runs has ended`,
    );
}

/** What was deliberately stopped is gone on with by its id alone. */
const GOES_ON: readonly string[] = ['interrupted', 'paused', 'failed'];

/** The list is behind by a moment: sessions of the last seconds are known by their leases. */
async function knownSessions({ service, caller }: Engine, home: string) {
  const leases = new Map(readLeases(home).map((lease) => [lease.plan_id, lease]));
  const listed = await service.sessions(caller, 'unfinished');
  const sessions = new Map(listed.map((session) => [session.plan_id, session]));
  for (const plan_id of leases.keys()) {
    const fresh = await service.session(caller, plan_id).catch(() => undefined);
    if (fresh) sessions.set(plan_id, fresh);
  }
  return [...sessions.values()].map((session) => {
    const lease = leases.get(session.plan_id);
    const goesOn = GOES_ON.includes(sessionStatus(session, lease));
    const came = lease && isLost(lease) ? Date.parse(lease.since) : session.updated_at.getTime();
    return { session, since: goesOn ? came : undefined, holder: goesOn ? undefined : heldBy(lease) };
  });
}
