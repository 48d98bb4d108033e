import type { Client } from '@temporalio/client';
import type { LogRef } from '../activities/logs/attempt-files.ts';
import { childId, workflowId } from '../contract/names.ts';
import { Fault } from '../faults.ts';
import { isTerminal } from '../plan/lifecycle.ts';
import { TASK_ENDED, type TaskStatus } from '../plan/state.ts';
import type { ChildView, TaskView } from '../plan/view.ts';
import type { Caller } from './caller.ts';
import { askView, type ReadPlan, readPlan } from './read-plan.ts';
import { INSIDE, nearestTask, unknownTask } from './task-names.ts';
import { wholeView } from './whole-view.ts';

/** How far the present run of a plan, or one task in it, is. */
export interface Standing {
  run: number;
  /** Whether it can do nothing more in this run. */
  over: boolean;
  /** Of the task, or of the sub-plan or map that it was in; else of the plan. */
  status: string;
  view: ReadPlan;
}

/** `left`: the logs of the task. Throws PLAN_NOT_FOUND, TASK_NOT_FOUND, and ENGINE_UNAVAILABLE when nobody can tell. */
export async function readStanding(
  client: Client,
  caller: Caller,
  planId: string,
  task: string | undefined,
  left: readonly LogRef[],
): Promise<Standing> {
  const view = await readPlan(client, caller, planId);
  const { run, state, freshness } = view;
  const ended = isTerminal(state.status);
  if (!freshness.live && !ended) throw new Fault('ENGINE_UNAVAILABLE', `no worker answers for plan ${view.plan_id}`);
  if (task === undefined || (ended && view.tasks.length === 0)) return { run, over: ended, status: state.status, view };
  const near = nearestTask(view.tasks, task);
  if (!near && left.length === 0) throw unknownTask(view.tasks, task);
  if (ended || !near || near.id === task || isOver(near.status))
    return { run, over: ended || !near || isOver(near.status), status: near?.status ?? state.status, view };
  // It is in a map or sub-plan at work: only those who carry that out know it.
  const id = workflowId(caller.principal.org_id, view.plan_id);
  const found = await findInside(client, id, view, task);
  // It has run, and its batch has ended.
  const over = found === 'absent' ? left.some((log) => log.run === run) : found !== undefined && isOver(found);
  return { run, over, status: found === 'absent' || found === undefined ? near.status : found, view };
}

export const isOver = (status: TaskStatus): boolean => TASK_ENDED.includes(status);

/** `absent`: all who might have it at work have answered, and none does. */
async function findInside(
  client: Client,
  id: string,
  { tasks, children }: { tasks: TaskView[]; children: ChildView[] },
  name: string,
): Promise<TaskStatus | 'absent' | undefined> {
  const own = tasks.find((task) => task.id === name);
  if (own) return own.status;
  let answer: 'absent' | undefined = 'absent';
  for (const { key, task } of children) {
    if (task !== undefined && !(name.startsWith(task) && name[task.length]! in INSIDE)) continue;
    const child = childId(id, key);
    const view = await wholeView(child, (workflow, page, isChild) => askView(client, workflow, page, isChild), true);
    const found = view && (await findInside(client, child, view, name));
    if (found === undefined) answer = undefined;
    else if (found !== 'absent') return found;
  }
  return answer;
}
