import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { Fault } from '../../faults.ts';
import { isLost, type Lease, readLease, takeLease } from '../../home/leases.ts';
import type { PlanStatus } from '../../plan/lifecycle.ts';
import type { Session } from '../../service/sessions.ts';
import { SESSION_FORMAT } from '../../service/start-workflow.ts';
import type { Cli } from '../cli.ts';
import { localTime } from '../render/text.ts';
import type { Link } from '../stay-connected.ts';
import type { Watched } from '../watch-plan.ts';
import { watchedPlan } from '../watched-plan.ts';
import type { Engine } from '../with-engine.ts';
import { chooseSession, type Wanted } from './choose-session.ts';
import { editedFile } from './edited-file.ts';
import { interruptPlan } from './interrupt-session.ts';
import type { Begin } from './run-session.ts';
import { heldBy } from './standing.ts';
import { positionWords, resumeCommand } from './words.ts';

export interface ResumeOptions extends Wanted {
  yes?: true;
  json?: true;
}

/** Goes on with a session where it was interrupted, or failed, or was stopped. */
export const resumeSession =
  (cli: Cli, options: ResumeOptions): Begin =>
  async (link, begun, home) => {
    const chosen = await link.ask((engine) => chooseSession(cli, engine, home, options));
    mustBeResumable(cli, chosen, options.file);
    mustBeFree(chosen, readLease(home, chosen.plan_id));
    const edited = await editedFile(cli, link, chosen, options);
    const { session_id, plan_id, file, directory } = chosen;
    const org_id = await link.ask(async ({ caller }) => caller.principal.org_id);
    const lost = await takeLease(home, { plan_id, session_id, org_id, directory });
    begun.session = { session_id, plan_id, file };
    begun.asked = true;
    const { state } = await link.ask(({ service, caller }) => service.session(caller, plan_id));
    // Its process has died, and the engine has not interrupted it yet.
    if (lost && AT_WORK.includes(state)) await interruptPlan(link, plan_id);
    const session = await link.ask(({ service, caller }) => service.session(caller, plan_id));
    const words = `Resuming session: ${session_id}`;
    const from = session.position && `Resuming from ${positionWords(session.position)}`;
    if (options.json)
      cli.out.line(JSON.stringify({ type: 'session', session_id, plan_id, file, resumed: true, ...session.position }));
    else for (const line of [cli.out.colours.bold(words), from]) if (line) cli.out.line(line);
    const told = await link.ask((engine) => lastEvent(engine, plan_id));
    await goOn(link, session, edited);
    const isHeld = !AT_WORK.includes(session.state);
    return { ...(await watched(cli, link, session, told)), ...(isHeld && { from: Date.now() }) };
  };

const AT_WORK: readonly PlanStatus[] = ['executing', 'stand_by', 'awaiting_input'];

/** Its number. The view has it, where the plan itself answers: events may be in histories that it has handed over, which take seconds to read. */
async function lastEvent({ service, caller }: Engine, plan_id: string): Promise<number> {
  const { seq, freshness } = await service.read(caller, plan_id);
  return freshness.live ? seq : ((await service.events(caller, plan_id, 0)).at(-1)?.seq ?? 0);
}

/** What was told before is not told again. */
async function watched(cli: Cli, link: Link, { plan_id, session_id, file }: Session, told: number): Promise<Watched> {
  const session = { session_id, resume: resumeCommand(cli, file, session_id) };
  return { ...(await watchedPlan(link, plan_id)), session, told };
}

function mustBeResumable(cli: Cli, session: Session, given: string | undefined): void {
  const { session_id, state, file, format, name, updated_at } = session;
  const fresh = `${cli.self} run ${file ?? 'FILE'}`;
  if (format !== SESSION_FORMAT)
    throw new Fault(
      'SESSION_TOO_OLD',
      `${session_id} (${name}) ${format === 0 ? 'is no session of this command line' : `is a session of format ${format}`}, and cannot be gone on with here; start afresh: ${fresh}; or let its plan go on in the engine: ${cli.self} resume ${session.plan_id}`,
    );
  if (given !== undefined && given !== '-' && !isSame(resolve(cli.directory, given), file))
    throw new Fault(
      'SESSION_OF_OTHER_FILE',
      `session ${session_id} is not of ${given}, but of ${file ?? 'standard input'}; resume it: ${resumeCommand(cli, file, session_id)}`,
    );
  if (state === 'completed')
    throw new Fault(
      'PLAN_NOT_RESUMABLE',
      `session ${session_id} is not resumable: it completed ${localTime(updated_at.toISOString())}; start a new one: ${fresh}`,
    );
}

/** Through links, too. */
function isSame(path: string, file: string | undefined): boolean {
  const real = (name: string) => {
    try {
      return realpathSync(name);
    } catch {
      return name;
    }
  };
  return file !== undefined && real(path) === real(file);
}

/** Asked before anything is shown or asked; the lease itself decides. */
function mustBeFree({ session_id }: Session, lease: Lease | undefined): void {
  const where = heldBy(lease);
  if (where !== undefined && !isLost(lease!))
    throw new Fault('SESSION_RUNNING', `session ${session_id} is running elsewhere: ${where}`);
}

/** A paused plan is resumed; of one that failed or was stopped, or whose file was edited, the next run is started. */
async function goOn(link: Link, { plan_id, state }: Session, plan: string | undefined): Promise<void> {
  const isOpen = AT_WORK.includes(state) || state === 'paused' || state === 'pending_review';
  await link.ask(async ({ service, caller }) => {
    if (isOpen && plan !== undefined) await service.command(caller, plan_id, 'stop');
    if (!isOpen || plan !== undefined) await service.nextRun(caller, plan_id, { mode: 'resume', plan });
    else if (state === 'paused') await service.command(caller, plan_id, 'resume');
  });
}
