import { asFault, type Fault } from '../../faults.ts';
import type { PlanEvent } from '../../plan/events.ts';
import type { Story, StoryEntry, StoryRequest } from '../story.ts';

/** One plan as all that follow it share it. */
export interface WatchedPlan {
  /** It may have moved: it is read again, once more if it is being read already. */
  hint(): void;
  /** What comes after a `seq` as soon as there is something, or why there is nothing. */
  after(cursor: number, known: Known, signal: AbortSignal): Promise<News>;
  /** Number of the last event there is; read first when nobody has yet, or when it has to be of now. Throws what reading throws. */
  last(fresh?: boolean): Promise<number>;
  end(): void;
}

export type News =
  | { what: 'entries'; entries: StoryEntry[]; last: number }
  /** There is nothing of that number: it was never given, or an operator has reset the plan to before it. */
  | { what: 'elsewhere' }
  | { what: 'trouble'; fault: Fault }
  | { what: 'aborted' };

/** What one follower has been told already. */
export interface Known {
  /** It hears of changes in another way, too: for it alone the plan is not read now and then. */
  casual?: boolean;
  trouble?: string | undefined;
  resets?: number;
}

export interface WatchOptions {
  read(request: StoryRequest): Promise<Story>;
  /** A hint may be lost: after so long without one the plan is read anyway. */
  quietMs: number;
}

/** Events kept for all; who is further behind reads them from the plan at its own pace. */
const KEPT = 1_000;
const PAGE = 1_000;
/** A plan that never rests is not read more often: each query takes a little of the worker that the plan itself needs. */
const PACE_MS = 100;

export function watchPlan({ read, quietMs }: WatchOptions): WatchedPlan {
  let kept: StoryEntry[] = [];
  let last: number | undefined;
  let resets = 0;
  let trouble: Fault | undefined;
  let reading: Promise<void> | undefined;
  let hinted = false;
  let later: NodeJS.Timeout | undefined;
  let began = 0;
  const waiting = new Map<() => void, Known>();
  const behind = new Map<number, Promise<Story>>();
  const quiet = setInterval(() => [...waiting.values()].some(({ casual }) => !casual) && hint(), quietMs);
  quiet.unref();

  function hint(): void {
    hinted = true;
    if (reading || later) return;
    const early = began + PACE_MS - Date.now();
    if (early <= 0) return void refresh();
    later = setTimeout(() => {
      later = undefined;
      if (hinted) hint();
    }, early).unref();
  }

  function refresh(): Promise<void> {
    reading ??= readNew().finally(() => {
      reading = undefined;
      for (const wake of waiting.keys()) wake();
      // What was under way may have been too old.
      if (hinted) hint();
    });
    return reading;
  }

  async function readNew(): Promise<void> {
    hinted = false;
    began = Date.now();
    try {
      take(await read({ after: last ?? Number.MAX_SAFE_INTEGER }));
      trouble = undefined;
    } catch (error) {
      trouble = asFault(error);
    }
  }

  function take({ entries, seq, before }: Story): void {
    if (last !== undefined && (seq < last || isOther(kept.at(-1), before))) {
      resets += 1;
      kept = [];
    } else kept = [...kept, ...entries].slice(-KEPT);
    last = seq;
  }

  /** Followers that are equally far behind share one read. */
  function readBehind(cursor: number): Promise<Story> {
    const shared = behind.get(cursor) ?? read({ after: cursor, limit: PAGE });
    behind.set(cursor, shared);
    void shared.finally(() => behind.delete(cursor)).catch(() => {});
    return shared;
  }

  async function newsAfter(cursor: number, known: Known): Promise<News | undefined> {
    if (known.resets !== resets || (last !== undefined && cursor > last)) {
      known.resets = resets;
      return { what: 'elsewhere' };
    }
    if (last !== undefined && cursor < last) {
      const at = kept.findIndex(({ seq }) => seq > cursor);
      if (at >= 0 && startOf(kept[at]!) <= cursor + 1) return { what: 'entries', entries: kept.slice(at), last };
      try {
        const { entries } = await readBehind(cursor);
        if (entries.length > 0) return { what: 'entries', entries, last };
      } catch (error) {
        trouble = asFault(error);
      }
    }
    if (known.trouble === trouble?.message) return undefined;
    known.trouble = trouble?.message;
    return trouble && { what: 'trouble', fault: trouble };
  }

  const changed = (known: Known, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const wake = () => {
        waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      waiting.set(wake, known);
      signal.addEventListener('abort', wake);
      if (signal.aborted) wake();
    });

  return {
    hint,
    async last(fresh = false) {
      // A read that is under way may have begun too early.
      if (fresh) await reading;
      if (fresh || last === undefined) await refresh();
      if (last === undefined || (fresh && trouble)) throw trouble;
      return last;
    },
    async after(cursor, known, signal) {
      known.resets ??= resets;
      // Nobody has read it yet, or it has moved and nobody has heard of it.
      if (last === undefined ? !trouble : cursor > last) await refresh();
      while (!signal.aborted) {
        const news = await newsAfter(cursor, known);
        if (news) return news;
        if (!signal.aborted) await changed(known, signal);
      }
      return { what: 'aborted' };
    },
    end() {
      clearInterval(quiet);
      clearTimeout(later);
    },
  };
}

const startOf = (entry: StoryEntry): number => (entry.type === 'gap' ? entry.from_seq : entry.seq);

/** Whether the plan tells something else of the same number than it did. */
const isOther = (mine: StoryEntry | undefined, theirs: PlanEvent | undefined): boolean =>
  mine !== undefined && theirs?.seq === mine.seq && (theirs.type !== mine.type || theirs.at !== mine.at);
