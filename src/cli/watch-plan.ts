import type { PlanEvent } from '../plan/events.ts';
import type { PlanStatus } from '../plan/lifecycle.ts';
import type { ReadPlan } from '../service/read-plan.ts';
import { type Cli, INTERRUPTED } from './cli.ts';
import { type Ending, type Following, followPlan } from './follow-plan.ts';
import { temporalUiOf } from './render/addresses.ts';
import { answerCommands } from './render/commands.ts';
import { endingLine } from './render/ending.ts';
import { type ToldPlan, tellProgress } from './render/progress.ts';
import { oneLine } from './render/text.ts';
import type { Link } from './stay-connected.ts';

export interface Watched extends ToldPlan {
  name: string;
  /** The last event of earlier runs, and the last that was there when the watching began. */
  after?: number;
  past?: number;
  /** Events after `after` that have been read already. */
  known?: PlanEvent[];
  /** Events up to this one have been told before, and are only counted. */
  told?: number;
  /** When it was gone on with, where it was held before. */
  from?: number;
  session?: WatchedSession;
}
export interface WatchedSession {
  session_id: string;
  /** The command that goes on with it. */
  resume: string;
}

export interface WatchOptions {
  json?: true;
  /** Lines on a terminal too. */
  plain?: true;
  /** The plan goes on when whoever has it leaves. */
  leaveRunning?: true;
  signal: AbortSignal;
  /** Does what Ctrl+C does: a terminal that is drawn on hears that as a key. */
  leave(): void;
}

/** Tells how a plan goes until its run ends; gives the exit code. */
export async function watchPlan(cli: Cli, link: Link, plan: Watched, options: WatchOptions): Promise<number> {
  const { plan_id, after, known } = plan;
  const teller = await tellerFor(cli, link, plan, options);
  try {
    const ending = await followPlan({ link, planId: plan_id, after, known, signal: options.signal, ...teller });
    teller.close?.();
    if (!ending) return INTERRUPTED;
    teller.end(ending);
    return EXIT_CODES[ending.state.status] ?? 0;
  } finally {
    teller.close?.();
  }
}

const EXIT_CODES: Partial<Record<PlanStatus, number>> = { completed: 0, failed: 1, stopped: 8 };

export interface Teller extends Pick<Following, 'needsView' | 'show' | 'wantsView' | 'seen' | 'quickestMs'> {
  end(ending: Ending): void;
  /** Gives a terminal back that was drawn on. */
  close?(): void;
}

async function tellerFor(cli: Cli, link: Link, plan: Watched, options: WatchOptions) {
  const { json, plain, leaveRunning, signal, leave } = options;
  if (json) return tellAsJson(cli, plan);
  const words = await tellInWords(cli, link, plan);
  if (plain || !cli.terminal) return words;
  const { tellLive } = await import('./live/tell-live.ts');
  const interrupts = plan.session !== undefined && !leaveRunning;
  return await tellLive({ cli, terminal: cli.terminal, link, plan, words, signal, interrupts, leave });
}

async function tellInWords(cli: Cli, link: Link, plan: Watched): Promise<Teller & { lines: Lines }> {
  const { out, err, self } = cli;
  const { plan_id, name, session, told = 0 } = plan;
  const teller = tellProgress(plan, cli);
  out.line(`plan ${out.colours.bold(plan_id)}  ${oneLine(name)}`);
  const page = await link.ask(async (engine) => temporalUiOf(engine, plan_id));
  out.line(out.colours.dim(`  watch it: ${self} watch ${plan_id}`));
  if (page) out.line(out.colours.dim(`  in Temporal: ${page}`));
  return {
    needsView: teller.needsView,
    lines: teller.lines,
    show(event, view) {
      const lines = teller.lines(event, view);
      if (isNews(event, told)) for (const line of lines) out.line(line);
    },
    end(ending) {
      out.line(endingLine(ending, out.colours));
      if (ending.state.status === 'completed') return;
      err.line(`see why:      ${self} why ${plan_id}`);
      err.line(`go on:        ${session?.resume ?? `${self} resume ${plan_id}  (finished work is kept)`}`);
      err.line(`from nothing: ${self} retry ${plan_id}`);
    },
  };
}

/** Of a session that is gone on with, what was told before, and what is kept of it, is none. */
export const isNews = ({ seq, type }: PlanEvent, told: number): boolean =>
  seq > told && !(told > 0 && type === 'TaskReused');

export type Lines = (event: PlanEvent, view?: ReadPlan) => string[];

/** One object per line: the events as they are, each question with how to answer it, and at last how the run ended. */
function tellAsJson(cli: Cli, { plan_id, told = 0 }: Watched): Teller {
  const line = (value: object) => cli.out.line(JSON.stringify(value));
  return {
    needsView: ({ type }) => type === 'QuestionOpened',
    show(event, view) {
      if (event.seq <= told) return;
      line({ ...event, at: new Date(event.at).toISOString() });
      const open = view?.questions.find(({ id }) => event.type === 'QuestionOpened' && id === event.question);
      if (open) line({ type: 'question', plan_id, question: open, answer: answerCommands(cli, plan_id, open) });
    },
    end: ({ state, error, totals }) => line({ type: 'result', plan_id, state, error, totals }),
  };
}
