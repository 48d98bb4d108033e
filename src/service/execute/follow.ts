import type { SessionOperation } from '../../plan/execute-session.ts';
import { wireLine } from '../../plan/wire-line.ts';
import type { Caller } from '../caller.ts';
import { sharedReads } from '../shared-query.ts';
import type { ExecuteParts } from './parts.ts';
import { type Line, type OperationStanding, standingOf } from './standing.ts';

/** What somebody who follows an operation is sent; `n` is the line's number in it. */
export interface OperationNews {
  event: 'snapshot' | 'progress' | 'terminal';
  line: string;
  n: number;
}

export interface FollowOperation {
  handle: string;
  /** Number of the last line that was seen: what follows it is told, and no snapshot. */
  after: number | undefined;
  signal: AbortSignal;
}

/** Steps tell at most every two seconds; this often it is looked, besides when the plan hints. */
const LOOK_MS = 500;
/** Many who follow one operation read it together, and no more often than this. */
const PACE_MS = 150;
const share = sharedReads<OperationStanding>(PACE_MS);

/** How an operation stands, then its lines as they come, then its end. Whoever comes late is told the end, too. */
export async function* followOperation(
  parts: ExecuteParts,
  caller: Caller,
  operation: SessionOperation,
  { handle, after, signal }: FollowOperation,
): AsyncGenerator<OperationNews, void> {
  const { plan_id } = operation;
  const read = () =>
    share(`${caller.principal.org_id} ${plan_id}`, () => standingOf(parts, caller, operation, handle, { told: true }));
  const line = ({ n, parts }: Line) => ({ n, line: wireLine(handle, parts) });
  const moved = movement(parts, plan_id, signal);
  try {
    let seen = after;
    while (!signal.aborted) {
      const { lines, now, phase } = await read();
      if (seen === undefined) {
        const last = lines.at(-1) ?? acceptance(operation);
        seen = last.n;
        yield { event: 'snapshot', ...line(last) };
      }
      for (const one of lines) {
        if (one.n <= seen) continue;
        seen = one.n;
        yield { event: 'progress', ...line(one) };
      }
      if (phase !== 'running') return yield { event: 'terminal', ...line(now) };
      await moved.next();
    }
  } finally {
    moved.end();
  }
}

/** What it began with. */
const acceptance = ({ at, commit_ref, verdict }: SessionOperation): Line => ({
  n: 1,
  at,
  parts: {
    is: 'accepted',
    ...(commit_ref !== undefined && { commit_ref }),
    ...(verdict === 'review' && { review: true }),
  },
});

/** Resolves when the plan hints that it has moved, or it is time to look anyway. */
function movement({ bus }: ExecuteParts, planId: string, signal: AbortSignal) {
  let hinted = false;
  let wake = () => {};
  const stir = () => {
    hinted = true;
    wake();
  };
  const unsubscribe = bus.subscribe((plan) => plan.plan_id === planId && stir());
  signal.addEventListener('abort', stir);
  return {
    async next(): Promise<void> {
      if (!hinted)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, LOOK_MS);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      wake = () => {};
      hinted = false;
    },
    end() {
      unsubscribe();
      signal.removeEventListener('abort', stir);
    },
  };
}
