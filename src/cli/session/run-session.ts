import { once } from 'node:events';
import { loadConfig } from '../../config.ts';
import { releaseLease, removeLease } from '../../home/leases.ts';
import { type Cli, exitOf } from '../cli.ts';
import { type Link, stayConnected } from '../stay-connected.ts';
import { type Watched, watchPlan } from '../watch-plan.ts';
import { interruptSession, leaveRunning, notStarted } from './interrupt-session.ts';

export interface SessionOptions {
  json?: true;
  plain?: true;
  leaveRunning?: true;
  detach?: true;
}

/** A session as this process has it. */
export interface OwnSession {
  session_id: string;
  plan_id: string;
  /** Absolute path of its file; undefined when it came by standard input. */
  file: string | undefined;
}

/** What has been begun so far, for whoever is interrupted in the middle. */
export interface Begun {
  session?: OwnSession;
  /** Its plan may be there. */
  asked: boolean;
}

/** Begins a session, or goes on with one; gives what is to be watched, or undefined where nothing is. */
export type Begin = (link: Link, begun: Begun, home: string) => Promise<Watched | undefined>;

/** Has a session until its run ends, or somebody interrupts it; gives the exit code. */
export async function runSession(cli: Cli, options: SessionOptions, begin: Begin): Promise<number> {
  const { home } = loadConfig(cli.env);
  const told = cli.interrupt({ whenUnread: !options.detach });
  const left = new AbortController();
  const signal = AbortSignal.any([told, left.signal]);
  const begun: Begun = { asked: false };
  let link: Link | undefined;
  let beginning: Promise<unknown> = Promise.resolve();

  const interrupted = async (): Promise<number> => {
    await once(signal, 'abort');
    const code = exitOf(signal);
    const { session, asked } = begun;
    if (!session || !link || !asked) {
      if (session) removeLease(home, session.plan_id);
      return notStarted(cli, code);
    }
    const how = { cli, link, home, session, json: options.json, beginning };
    if (options.leaveRunning) return await leaveRunning(how, code);
    // A key of the drawn view was the first Ctrl+C: the next one is a signal, and leaves at once.
    const again = told.aborted ? new Promise<never>(() => {}) : once(told, 'abort').then(() => code);
    return await Promise.race([interruptSession(how, code), again]);
  };
  const working = stayConnected(cli, 'run', async (connected) => {
    link = connected;
    const begins = begin(connected, begun, home);
    beginning = begins;
    const watched = await begins.catch(async (error: unknown) => {
      if (signal.aborted && begun.asked) return await toldThere();
      throw error;
    });
    if (!watched) return 0;
    const code = await watchPlan(cli, connected, watched, { ...options, signal, leave: () => left.abort() });
    return signal.aborted ? await toldThere() : code;
  });
  const settled = working.finally(() => begun.session && !signal.aborted && letGo(home, begun.session));
  return await Promise.race([interrupted(), settled]);
}

/** What is interrupted is told and let go of by who interrupts it, over the same connection. */
const toldThere = (): Promise<never> => new Promise(() => {});

/** Its run has ended, or it could not be begun. */
const letGo = (home: string, { plan_id }: OwnSession): Promise<void> => releaseLease(home, plan_id).catch(() => {});
