import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { LogRef } from '../activities/logs/attempt-files.ts';
import { type AttemptLog, type LogStore, sameLog } from '../activities/logs/log-store.ts';
import { readText, type TextPiece, tailOffset } from '../activities/logs/log-text.ts';
import type { Caller } from './caller.ts';
import { mustHavePlan } from './read-plan.ts';
import { nearestTask } from './task-names.ts';
import { isOver, readStanding, type Standing } from './task-standing.ts';

/** How far a reader is in a log. */
export interface LogPosition extends LogRef {
  offset: number;
}

export interface FollowRequest {
  /** Left out: all tasks of the plan. */
  task?: string | undefined;
  /** Left out: the present run, and of tasks that have ended what the newest run left. */
  run?: number | undefined;
  /** Only this attempt. */
  attempt?: number | undefined;
  /** What the reader has: it goes on from there, and for one task with what began after. */
  seen?: readonly LogPosition[] | undefined;
  /** Of what is there at first, only the last so many lines of each task. */
  tail?: number | undefined;
  /** Ends the stream when aborted. */
  signal: AbortSignal;
}

export type LogNews =
  | ({ is: 'output' } & LogRef & TextPiece)
  /** Nothing more comes in this run. */
  | { is: 'end'; run: number; status: string };

const QUICKEST_MS = 50;
const SLOWEST_MS = 250;
/** How long a log is silent before it is asked whether its task has ended, and how seldom it is asked at last. */
const DOUBT_MS = 250;
const SELDOM_MS = 2_000;
/** Looking for news in a folder of thousands of logs takes at most this part of the time. */
const SHARE = 5;

/**
 * What tasks write, as they write it, over all their attempts in the present run, until they can do no more in it.
 * Nothing is read ahead of who takes it. Throws as `readStanding` does; who comes again with what it has `seen` misses nothing.
 */
export async function* followLogs(
  client: Client,
  store: LogStore,
  caller: Caller,
  planId: string,
  request: FollowRequest,
): AsyncGenerator<LogNews, void> {
  const { task, signal } = request;
  const plan_id = await mustHavePlan(client, caller, planId);
  const offsets = new Map((request.seen ?? []).map((seen) => [keyOf(seen), seen.offset]));
  let logs = await store.list(plan_id, { task });
  const ask = () => readStanding(client, caller, plan_id, task, logs);
  let standing = await ask();
  const run = request.run ?? standing.run;
  const isWanted = choose(logs, standing, run, request);
  if (request.tail !== undefined && offsets.size === 0)
    await skipToTails(store, plan_id, logs.filter(isWanted), request.tail, offsets);

  for (let pause = QUICKEST_MS, doubt = DOUBT_MS, asked = Date.now(); !signal.aborted; ) {
    const began = performance.now();
    logs = await store.list(plan_id, { task });
    const took = performance.now() - began;
    let quiet = true;
    const followed = logs.filter(isWanted);
    const last = new Map(followed.map((log) => [log.task, log]));
    for (const log of followed) {
      // A log that is shorter than it was has been begun anew.
      const from = offsets.get(keyOf(log)) ?? 0;
      const range = {
        from: from > log.bytes ? 0 : from,
        to: log.bytes,
        complete: standing.over || last.get(log.task) !== log,
      };
      if (range.from === range.to) continue;
      for await (const piece of readText(store, plan_id, log, range)) {
        quiet = false;
        yield { is: 'output', ...refOf(log), ...piece };
        offsets.set(keyOf(log), piece.next);
        if (signal.aborted) return;
      }
    }
    // What was read after it was over is all there is.
    if (quiet && isEnd(logs, standing, run, request)) return yield { is: 'end', run, status: standing.status };
    if (!quiet) [pause, doubt, asked] = [QUICKEST_MS, DOUBT_MS, Date.now()];
    else if (Date.now() - asked >= doubt) {
      standing = await ask();
      [doubt, asked] = [Math.min(SELDOM_MS, doubt * 1.5), Date.now()];
      if (isEnd(logs, standing, run, request)) continue;
    }
    await delay(Math.max(pause, took * SHARE), undefined, { signal }).catch(() => {});
    pause = Math.min(SLOWEST_MS, pause * 1.5);
  }
}

const keyOf = ({ run, task, attempt, dispatch, again = 1 }: LogRef): string =>
  [run, task, attempt, dispatch, again].join(' ');

const refOf = ({ run, task, attempt, dispatch, again }: LogRef): LogRef => ({
  run,
  task,
  attempt,
  dispatch,
  ...(again && { again }),
});

/** Which logs are followed: decided once, so that the stream is of one run. */
function choose(logs: AttemptLog[], standing: Standing, present: number, { task, run, attempt, seen }: FollowRequest) {
  const newest = new Map(logs.map((log) => [log.task, log.run]));
  const { tasks } = standing.view;
  const hasEnded = (id: string) => standing.over || isOver(nearestTask(tasks, id)?.status ?? 'skipped');
  const old = new Set(logs.filter((log) => log.run === newest.get(log.task) && hasEnded(log.task)).map(keyOf));
  // Of one task, what began before the last that the reader has seen has been seen, too.
  const last = seen && task !== undefined ? logs.findLast((log) => seen.some((one) => sameLog(log, one))) : undefined;
  const before = new Set(last && logs.slice(0, logs.indexOf(last)).map(keyOf));
  return (log: AttemptLog): boolean => {
    if (attempt !== undefined && log.attempt !== attempt) return false;
    if (last && (run === undefined || log.run === run)) return !before.has(keyOf(log)) && log.run <= present;
    return log.run === present || (run === undefined && old.has(keyOf(log)));
  };
}

function isEnd(logs: AttemptLog[], standing: Standing, run: number, { attempt }: FollowRequest): boolean {
  if (standing.over || run < standing.run) return true;
  return attempt !== undefined && logs.some((log) => log.run === run && log.attempt > attempt);
}

async function skipToTails(
  store: LogStore,
  planId: string,
  logs: AttemptLog[],
  tail: number,
  offsets: Map<string, number>,
): Promise<void> {
  const last = new Map(logs.map((log) => [log.task, log]));
  for (const log of logs) {
    const isLast = last.get(log.task) === log;
    offsets.set(keyOf(log), isLast ? await tailOffset(store, planId, log, log.bytes, tail) : log.bytes);
  }
}
