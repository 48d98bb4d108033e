import type { EventType, PlanEvent } from '../../plan/events.ts';
import type { ReadPlan } from '../../service/read-plan.ts';
import type { Cli } from '../cli.ts';
import type { Link } from '../stay-connected.ts';
import type { Terminal } from '../terminal.ts';
import { isNews, type Lines, type Teller, type Watched } from '../watch-plan.ts';
import { openLive } from './live.ts';

export interface TellLive {
  cli: Cli;
  terminal: Terminal;
  link: Link;
  plan: Watched;
  /** What tells the plan in lines. */
  words: Teller & { lines: Lines };
  signal: AbortSignal;
  /** Leaving interrupts the plan. */
  interrupts: boolean;
  leave(): void;
}

/** What the drawn view shows anyway, and better. */
const DRAWN: readonly EventType[] = ['TaskStarted', 'QuestionOpened', 'PlanStateChanged', 'TaskHeld'];
/** Of what happened before somebody came, the last lines tell enough. */
const PAST_LINES = 15;

/** Draws the plan, with news in lines above it. */
export async function tellLive({
  cli,
  terminal,
  link,
  plan,
  words,
  signal,
  interrupts,
  leave,
}: TellLive): Promise<Teller> {
  const { out } = cli;
  const { plan_id, past = 0, told = 0, from } = plan;
  const view = await link.ask(({ service, caller }) => service.read(caller, plan_id));
  const reads = readsOf(view);
  const live = await openLive({ cli, terminal, link, view, interrupts, from, leave, changed: reads.hurry });
  signal.addEventListener('abort', live.close, { once: true });
  if (signal.aborted) live.close();
  let earlier: string[] = [];

  const tell = (event: PlanEvent, now: ReadPlan | undefined): string[] => {
    const lines = words.lines(event, now);
    return DRAWN.includes(event.type) || !isNews(event, told) ? [] : lines;
  };
  return {
    needsView: (event) => !DRAWN.includes(event.type) && words.needsView(event),
    wantsView: reads.isDue,
    quickestMs: QUICKEST_MS,
    seen(newer) {
      reads.done(newer);
      live.seen(newer);
    },
    show(event, now) {
      const lines = tell(event, now);
      if (event.seq > past) return void (lines.length > 0 && out.line(lines.join('\n')));
      earlier.push(...lines);
      if (event.seq < past) return;
      const left = earlier.length - PAST_LINES;
      if (left > 0) earlier = [out.colours.dim(`… ${left} earlier lines`), ...earlier.slice(-PAST_LINES)];
      if (earlier.length > 0) out.line(earlier.join('\n'));
    },
    end: words.end,
    close: live.close,
  };
}

const QUICKEST_MS = 250;
/** What runs in children, and whether a worker has taken an attempt, is told by no event. */
const AT_WORK_MS = 1_000;
const QUIET_MS = 3_000;

/** When the view is read: at most four times a second, and a small share of the time where that takes long. */
function readsOf(first: ReadPlan) {
  let view = first;
  let isNew = false;
  let [asked, read, took] = [Date.now(), Date.now(), 0];
  return {
    hurry() {
      isNew = true;
    },
    isDue(events: PlanEvent[]): boolean {
      isNew ||= events.length > 0;
      const isAtWork = view.current_tasks.length > 0 || view.children.length > 0;
      const pause = isNew ? Math.max(QUICKEST_MS, 4 * took) : Math.max(isAtWork ? AT_WORK_MS : QUIET_MS, 10 * took);
      if (Date.now() - read < pause) return false;
      asked = Date.now();
      return true;
    },
    done(newer: ReadPlan) {
      view = newer;
      isNew = false;
      read = Date.now();
      took = read - Math.max(asked, read - 60_000);
    },
  };
}
