import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { asFault } from '../../faults.ts';
import { releaseLease } from '../../home/leases.ts';
import { isTerminal, type PlanStatus } from '../../plan/lifecycle.ts';
import type { Cli } from '../cli.ts';
import type { Link } from '../stay-connected.ts';
import type { OwnSession } from './run-session.ts';
import { positionWords, resumeCommand } from './words.ts';

export interface Interrupting {
  cli: Cli;
  link: Link;
  home: string;
  session: OwnSession;
  json: true | undefined;
  /** Settles when the plan, or its next run, is there: before that nothing can be ended, and what comes after would run on. */
  beginning: Promise<unknown>;
}

/** A command gets TERM, and KILL some seconds after. */
const ENDED_WITHIN_MS = 15_000;
const LOOK_MS = 40;

/** Ends what runs, so that the session can be gone on with from there, and says how. Gives the exit code. */
export async function interruptSession(interrupting: Interrupting, code: number): Promise<number> {
  const { cli, link, home, session, json, beginning } = interrupting;
  const { session_id, plan_id, file } = session;
  if (!json) cli.err.line('\ninterrupting: what runs is being ended; Ctrl+C again leaves at once');
  // Ctrl+C at a terminal ends what was asked for it, too, such as Git: then there is no plan.
  await beginning.catch(() => {});
  const status = await interruptPlan(link, plan_id).catch((error: unknown) => {
    if (asFault(error).code !== 'PLAN_NOT_FOUND') throw error;
  });
  if (status === undefined) return notStarted(cli, code);
  // In review nothing runs; should somebody approve it, the engine finds that its process is gone.
  if (status !== 'pending_review') await releaseLease(home, plan_id);
  const resume = resumeCommand(cli, file, session_id);
  if (json) {
    cli.out.line(JSON.stringify({ type: 'interrupted', session_id, plan_id, state: { status }, resume }));
    return code;
  }
  if (status === 'completed') {
    cli.err.line(`Session ${session_id} has completed meanwhile.`);
    return code;
  }
  if (status === 'executing')
    cli.err.line('what runs has not ended yet; nothing new starts, and it is interrupted once that has');
  const { position } = await link.ask(({ service, caller }) => service.session(caller, plan_id));
  cli.err.line(`Session interrupted. Resume with: ${cli.err.colours.bold(resume)}`);
  if (position) cli.err.line(cli.err.colours.dim(`  it goes on from ${positionWords(position)}`));
  return code;
}

export function notStarted(cli: Cli, code: number): number {
  cli.err.line('interrupted; no plan was started');
  return code;
}

/** Lets the engine go on with the session by itself. */
export async function leaveRunning(interrupting: Interrupting, code: number): Promise<number> {
  const { cli, home, session, json, beginning } = interrupting;
  const { session_id, plan_id, file } = session;
  await beginning;
  await releaseLease(home, plan_id);
  const resume = resumeCommand(cli, file, session_id);
  if (json) cli.out.line(JSON.stringify({ type: 'left_running', session_id, plan_id, resume }));
  else {
    cli.err.line(`\nSession ${session_id} goes on in the engine.`);
    cli.err.line(`come back to it: ${cli.err.colours.bold(resume)}`);
    cli.err.line(`stop it:         ${cli.self} stop ${session_id}`);
  }
  return code;
}

/** Interrupts a plan and waits until nothing of it runs; gives the state that it is in then. */
export async function interruptPlan(link: Link, plan_id: string): Promise<PlanStatus> {
  const request_id = randomUUID();
  await link.ask(({ service, caller }) =>
    service.command(caller, plan_id, 'pause', { interrupt: true, request_id }).catch((error: unknown) => {
      // Paused, in review, or ended.
      if (asFault(error).code !== 'PLAN_INVALID_STATE') throw error;
    }),
  );
  for (const end = Date.now() + ENDED_WITHIN_MS; ; await delay(LOOK_MS)) {
    const { state } = await link.ask(({ service, caller }) => service.session(caller, plan_id));
    if (state === 'paused' || state === 'pending_review' || isTerminal(state) || Date.now() > end) return state;
  }
}
