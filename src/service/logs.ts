import type { Client } from '@temporalio/client';
import type { AttemptLog, LogFilter, LogStore } from '../activities/logs/log-store.ts';
import { tailOffset } from '../activities/logs/log-text.ts';
import { Fault } from '../faults.ts';
import type { Caller } from './caller.ts';
import { mustHavePlan, mustKnowTasks, readPlan } from './read-plan.ts';
import { nearestTask, unknownTask } from './task-names.ts';

/** Which log of a task, and which part of it. */
export type { AttemptLog };

export interface LogRequest {
  task: string;
  /** Left out: the newest run, attempt and dispatch that there is. */
  run?: number | undefined;
  attempt?: number | undefined;
  dispatch?: number | undefined;
  again?: number | undefined;
  /** From this byte on. */
  offset?: number | undefined;
  /** Only the last so many lines. */
  tail?: number | undefined;
}

export interface OpenLog {
  log: AttemptLog;
  /** The bytes from here to `to`, the last not included, are what was asked for. */
  from: number;
  to: number;
  read(): AsyncIterable<Buffer>;
}

/** The logs of a plan's attempts, in the order in which these began; throws PLAN_NOT_FOUND, and TASK_NOT_FOUND. */
export async function listLogs(
  client: Client,
  store: LogStore,
  caller: Caller,
  planId: string,
  filter: LogFilter = {},
): Promise<AttemptLog[]> {
  const plan_id = await mustHavePlan(client, caller, planId);
  const logs = await store.list(plan_id, filter);
  if (logs.length === 0 && filter.task !== undefined) await mustBeTask(client, store, caller, plan_id, filter.task);
  return logs;
}

/** Without a log a task may still be one. */
async function mustBeTask(client: Client, store: LogStore, caller: Caller, planId: string, task: string) {
  const view = await readPlan(client, caller, planId);
  const { tasks } = view;
  if (nearestTask(tasks, task)) return;
  const left = await store.list(planId);
  if (left.some((log) => log.task === task)) return;
  mustKnowTasks(view);
  throw unknownTask([...tasks, ...left.map((log) => ({ id: log.task }))], task);
}

/** Opens one log for reading; undefined when the task has left none. Throws OUTPUT_NOT_FOUND for another attempt than there is. */
export async function openLog(
  client: Client,
  store: LogStore,
  caller: Caller,
  planId: string,
  request: LogRequest,
): Promise<OpenLog | undefined> {
  const { task, run, attempt, dispatch } = request;
  const logs = await listLogs(client, store, caller, planId, { task });
  const log = pickLog(logs, request);
  if (log) return await openPart(store, planId.toLowerCase(), log, request);
  if (run === undefined && attempt === undefined && dispatch === undefined) return undefined;
  const there = logs.map(({ run, attempt, dispatch }) => `run ${run} attempt ${attempt}.${dispatch}`).slice(-20);
  throw new Fault(
    'OUTPUT_NOT_FOUND',
    `task ${task} has no such log; ${there.length > 0 ? `there are: ${there.join(', ')}` : 'it has left none'}`,
  );
}

/** The newest log that fits. */
export const pickLog = (
  logs: readonly AttemptLog[],
  { run, attempt, dispatch, again }: Omit<LogRequest, 'task'>,
): AttemptLog | undefined =>
  logs.findLast(
    (log) =>
      (run === undefined || log.run === run) &&
      (attempt === undefined || log.attempt === attempt) &&
      (dispatch === undefined || log.dispatch === dispatch) &&
      (again === undefined || log.again === again),
  );

export async function openPart(
  store: LogStore,
  planId: string,
  log: AttemptLog,
  { offset = 0, tail }: Pick<LogRequest, 'offset' | 'tail'>,
): Promise<OpenLog> {
  const to = log.bytes;
  const last = tail === undefined ? 0 : await tailOffset(store, planId, log, to, tail);
  const from = Math.min(to, Math.max(offset, last));
  return { log, from, to, read: () => store.read(planId, log, from, to) };
}
