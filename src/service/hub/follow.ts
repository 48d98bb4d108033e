import { setTimeout as delay } from 'node:timers/promises';
import { asFault, FAULTS } from '../../faults.ts';
import type { PlanEvent } from '../../plan/events.ts';
import { isTerminal } from '../../plan/lifecycle.ts';
import type { ReadPlan } from '../read-plan.ts';
import type { StoryEntry } from '../story.ts';
import type { Known, News, WatchedPlan } from './watched-plan.ts';

/** What a follower of a plan is sent. */
export type Pushed =
  | { what: 'event'; event: PlanEvent }
  /** How the plan stands, in place of events up to `seq` that cannot be told: `resync` when the follower had others. */
  | { what: 'snapshot' | 'resync'; seq: number; view: ReadPlan; message: string }
  /** No worker answers: the last that is known. Its events come when one does. */
  | { what: 'last_known'; view: ReadPlan };

export interface FollowRequest {
  /** Absent: from the first event on. `unknown`: after something that is no number. */
  after: number | 'unknown' | undefined;
  /** The plan had ended when it was asked for: when all is told there is no more to wait for. */
  closed: boolean;
  casual?: boolean;
  signal: AbortSignal;
}

/**
 * A plan's events in order, without gap or repeat, up to the one that ends its last run. A plan that goes on in a next run
 * is followed into it where that has begun already; whoever comes later finds it by the number of the last event.
 */
export async function* follow(
  watched: WatchedPlan,
  readView: () => Promise<ReadPlan>,
  { after, closed, casual = false, signal }: FollowRequest,
): AsyncGenerator<Pushed> {
  const known: Known = { casual };
  let cursor = typeof after === 'number' ? after : 0;
  let lost = after === 'unknown' ? NOT_A_NUMBER : undefined;
  if (closed) await watched.last(true).catch(() => {});
  while (!signal.aborted) {
    if (lost !== undefined) {
      const view = await readView().catch(notNow);
      if (!view) {
        await delay(RETRY_MS, undefined, { signal }).catch(() => {});
        continue;
      }
      cursor = await standOf(watched, view, signal);
      yield { what: after === undefined ? 'snapshot' : 'resync', seq: cursor, view, message: lost };
      lost = undefined;
      after = cursor;
    }
    if (closed && cursor === (await watched.last().catch(() => undefined))) return;
    const news = await watched.after(cursor, known, signal);
    switch (news.what) {
      case 'aborted':
        return;
      case 'elsewhere':
        after ??= cursor;
        lost = ELSEWHERE;
        break;
      case 'trouble': {
        notNow(news.fault);
        const view = await readView().catch(notNow);
        if (view) yield { what: 'last_known', view };
        break;
      }
      case 'entries':
        if (closed && isAfterword(news)) return;
        for (const [i, entry] of news.entries.entries()) {
          if (entry.type === 'gap') {
            lost = GONE;
            break;
          }
          yield { what: 'event', event: entry };
          cursor = entry.seq;
          after = cursor;
          if (endsRun(entry) && !goesOn(entry, news.entries.slice(i + 1), news.last)) return;
        }
    }
  }
}

const NOT_A_NUMBER = 'the id is not one that this stream has given';
const ELSEWHERE = 'the plan has no event of that number; an operator may have reset it';
const GONE = 'earlier events were removed by retention';

const RETRY_MS = 1_000;

/** What may be read later is waited for; anything else ends the following. */
function notNow(error: unknown): undefined {
  const fault = asFault(error);
  if (!FAULTS[fault.code].retryable) throw fault;
}

/** The last event of a run has its state, error and totals. */
export const endsRun = ({ state, totals }: PlanEvent): boolean =>
  totals !== undefined && state !== undefined && isTerminal(state.status);

/** Whether a next run follows; what is beyond this page has to be looked at. */
function goesOn(end: PlanEvent, rest: StoryEntry[], last: number): boolean {
  const next = rest.find(({ type }) => type !== REFUSED);
  return next ? next.type === 'RunStarted' : (rest.at(-1) ?? end).seq < last;
}

/** A command may come after the verdict and before the plan is closed: that it was refused is part of the story, and not of a stream. */
const REFUSED = 'CommandRefused';

/** Whether nothing is left of a plan that has ended but commands that were refused after its end. */
export const isAfterword = ({ entries, last }: Extract<News, { what: 'entries' }>): boolean =>
  entries.at(-1)?.seq === last && entries.every(({ type }) => type === REFUSED);

/** Where the events go on after a view: of a plan that has ended, its last one is still to be told. */
async function standOf(watched: WatchedPlan, { seq, state }: ReadPlan, signal: AbortSignal): Promise<number> {
  if (!isTerminal(state.status)) return seq;
  const news = await watched.after(Math.max(0, seq - LOOK_BACK), {}, signal);
  const found = news.what === 'entries' ? news.entries : [];
  const end = found.findLast((entry) => 'totals' in entry && endsRun(entry));
  return Math.max(0, (end?.seq ?? seq) - 1);
}
const LOOK_BACK = 200;
