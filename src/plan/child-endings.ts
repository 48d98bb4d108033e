import type { Child, ChildResult } from './child.ts';
import { childHeard } from './children.ts';
import { type PlanEvent, record } from './events.ts';
import { kept } from './inline.ts';
import { batchEnded } from './map.ts';
import { isFatal, type Plan, taskAt } from './plan.ts';
import { type BatchLeft, TASK_ENDED, type TaskError } from './state.ts';
import { cancelTask, ended, fail, succeed, whyCancelled } from './task-endings.ts';

/** Acts on the end of a child workflow. */
export function childEnded(plan: Plan, child: Child, result: ChildResult, now: number): void {
  plan.index.children.delete(child.key);
  childHeard(plan, child.key);
  recordTold(plan, result.events, now);
  const { what } = child;
  if (what.kind === 'segment') segmentEnded(plan, what.tasks, result, now);
  else if (what.kind === 'batch') batchEnded(plan, what.task, what.piece, result.batch ?? nothingLeft(result));
  else subPlanEnded(plan, what.task, result, now);
}

/** What happened in a child is part of its plan's story, in the order in which the plan learns of it. */
export function recordTold({ state }: Plan, events: readonly PlanEvent[] = [], now: number): void {
  for (const { seq: _, at, type, ...fields } of events) record(state, at, type, fields);
  state.updated_at = now;
}

/** Of a batch that was ended from outside nothing is known. */
const nothingLeft = ({ error }: ChildResult): BatchLeft => ({
  succeeded: 0,
  failed: 1,
  skipped: 0,
  fatal: true,
  incomplete: true,
  ...(error && { error }),
  items: [],
});

function subPlanEnded(
  plan: Plan,
  i: number,
  { verdict, outputs, error, left, position }: ChildResult,
  now: number,
): void {
  const { at } = taskAt(plan, i);
  at.gone = undefined;
  if (verdict === 'completed') {
    if (left) at.made = { left };
    succeed(plan, i, outputs ?? {}, now);
    return;
  }
  if (left) at.left = left;
  if (position) at.position = position;
  if (verdict === 'stopped') cancelTask(plan, i, whyCancelled(plan), now);
  else fail(plan, i, subPlanError(error), now);
}

function subPlanError(error: ChildResult['error']): TaskError {
  if (!error) return { code: 'SUBPLAN_FAILED', message: 'it failed' };
  const { task, code, message, details } = error;
  return { code, message: task ? `${task}: ${message}` : message, ...(details !== undefined && { details }) };
}

/** The tasks of a segment have ended as it says. */
function segmentEnded(plan: Plan, tasks: number[], { tasks: left, error }: ChildResult, now: number): void {
  const { state, index } = plan;
  tasks.forEach((i, k) => {
    const { task } = taskAt(plan, i);
    const ending = left?.[k];
    if (!ending) {
      fail(plan, i, error ?? { code: 'INTERNAL', message: 'its segment was ended from outside (Temporal)' }, now);
      return;
    }
    state.tasks[i] = ending;
    if (!TASK_ENDED.includes(ending.status)) return;
    if (ending.outputs) ending.outputs = kept(ending.outputs, state.inline_bytes);
    if (ending.outputs) state.inline_bytes += JSON.stringify(ending.outputs).length;
    if (ending.status === 'succeeded') state.successes += 1;
    if (isFatal(task, ending)) index.fatal.push(i);
    ended(plan, i, now);
  });
}
