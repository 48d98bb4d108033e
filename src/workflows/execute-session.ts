import {
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type {
  ExecuteAccept,
  ExecuteCommit,
  ExecuteFind,
  ExecuteFound,
  ExecuteGiven,
  ExecuteInput,
  ExecuteList,
  ExecuteListed,
  ExecutePages,
  ExecuteResult,
} from '../contract/execute-payloads.ts';
import { EXECUTE_QUERIES, EXECUTE_SIGNALS } from '../contract/names.ts';
import { pack, unpack } from '../contract/packed.ts';
import { PayloadTooLarge, payload } from '../contract/payload-size.ts';
import {
  accept,
  carriedSession,
  commit,
  known,
  leftMs,
  newSession,
  numberOf,
  page,
  type Session,
  type SessionOperation,
  sessionFrom,
} from '../plan/execute-session.ts';
import { HANDOVER_EVENTS } from './history-room.ts';

/**
 * What one session of programs has given: handles of operations and pages, and tokens of dry runs. The rules are in
 * `plan/execute-session.ts`; whoever tells it something asks afterwards what number that got. It ends when nobody has used it
 * for long, and leaves its counters to the one that may come after it.
 */
export async function execute(input: ExecuteInput): Promise<ExecuteResult> {
  const session = input.carried ? sessionFrom(unpack(input.carried)) : newSession(input.counters, Date.now());
  let ended = false;

  setHandler(defineSignal<[ExecuteAccept?]>(EXECUTE_SIGNALS.accept), (given) => {
    for (const one of given?.operations ?? []) if (isOperation(one)) accept(session, one, Date.now());
  });
  setHandler(defineSignal<[ExecuteCommit?]>(EXECUTE_SIGNALS.commit), (given) => {
    if (typeof given?.commit_id !== 'string' || typeof given.ttl_ms !== 'number') return;
    const { schema_version: _, ttl_ms, ...told } = given;
    commit(session, told, ttl_ms, Date.now());
  });
  setHandler(defineSignal<[ExecutePages?]>(EXECUTE_SIGNALS.page), (given) => {
    for (const one of given?.pages ?? []) page(session, one, Date.now());
  });
  setHandler(defineSignal(EXECUTE_SIGNALS.touch), () => {
    session.used_at = Date.now();
  });
  setHandler(defineQuery<(number | null)[], [ExecuteGiven]>(EXECUTE_QUERIES.given), ({ what, keys }) =>
    keys.map((key) => numberOf(session, what, key) ?? null),
  );
  setHandler(defineQuery<ExecuteFound, [ExecuteFind]>(EXECUTE_QUERIES.find), (asked) => ({
    ended,
    ...find(session, asked),
  }));
  setHandler(defineQuery<ExecuteListed, [ExecuteList]>(EXECUTE_QUERIES.list), ({ before, limit }) => ({
    ended,
    counters: session.counters,
    operations: Array.from(session.operations.values())
      .filter(({ n }) => before === undefined || n < before)
      .reverse()
      .slice(0, limit),
    used_at: session.used_at,
  }));

  return await CancellationScope.nonCancellable(async () => {
    const isFull = () => workflowInfo().historyLength >= HANDOVER_EVENTS;
    for (let left = leftMs(session, input.ttl_ms, Date.now()); left > 0; ) {
      // One timer for the whole of the wait: who uses it meanwhile is seen when it fires.
      await condition(isFull, left);
      if (isFull()) {
        const { carried: _, ...same } = input;
        await continueAsNew<typeof execute>(fitting(same, session));
      }
      left = leftMs(session, input.ttl_ms, Date.now());
    }
    ended = true;
    return { schema_version: 1, counters: session.counters };
  });
}

function find({ counters, operations, commits, pages }: Session, asked: ExecuteFind): Omit<ExecuteFound, 'ended'> {
  const { operation, commit, page } = asked;
  return {
    ...(operation !== undefined && {
      operation: known('operations', operation, counters, operations.get(operation)),
    }),
    ...(commit !== undefined && { commit: known('commits', commit, counters, commits.get(commit)) }),
    ...(page !== undefined && { page: known('pages', page, counters, pages.get(page)) }),
  };
}

/** An operator may send signals by hand, with anything in them. */
const isOperation = (given: Partial<SessionOperation> | null): given is SessionOperation =>
  typeof given?.request_id === 'string' && typeof given.plan_id === 'string' && typeof given.program === 'string';

/** Programs may be such that little of them can be deflated away; then fewer of the old ones are kept. */
function fitting(input: ExecuteInput, session: Session): ExecuteInput {
  for (let share = 1; ; share /= 2) {
    try {
      return payload('what the session has given', { ...input, carried: pack(carriedSession(session, share)) });
    } catch (error) {
      if (!(error instanceof PayloadTooLarge) || share < 1 / 64) throw error;
    }
  }
}
