import { record } from './events.ts';
import { type Plan, planState, taskAt } from './plan.ts';
import { totals } from './progress.ts';
import type { Verdict } from './state.ts';
import { cancelTask } from './task-endings.ts';

/**
 * Gives the verdict once nothing runs and nothing more may; `completed` only when every task ended and none failed the plan.
 * A failure that comes while the plan is paused is acted on when it is resumed, unless it was the last thing left.
 */
export function conclude(plan: Plan, now: number): void {
  const { state, index, definition } = plan;
  if (state.verdict || index.running.size > 0) return;
  const all = index.ended === definition.tasks.length;
  const [first] = index.fatal;
  if (state.stop) end(plan, 'stopped', `stopped by ${state.stop.by}`, now);
  else if (first !== undefined && (all || !state.pause)) {
    const { task, at } = taskAt(plan, first);
    state.error = { ...at.error!, task: task.id };
    end(plan, 'failed', `task ${task.id} failed`, now);
  } else if (all) end(plan, 'completed', '', now);
}

const VERDICT_EVENTS = { completed: 'PlanCompleted', failed: 'PlanFailed' } as const;

function end(plan: Plan, verdict: Verdict, reason: string, now: number): void {
  const { state, definition } = plan;
  definition.tasks.forEach((_, i) => {
    cancelTask(plan, i, reason, now);
  });
  state.verdict = verdict;
  state.pause = undefined;
  state.review = undefined;
  state.start_at = undefined;
  // A stop was recorded when it was asked for, with who asked.
  if (verdict === 'stopped') return;
  const { error } = state;
  record(state, now, VERDICT_EVENTS[verdict], error ? { task: error.task, message: error.message } : {});
}

/** Records the plan's state whenever it is not the one last recorded; a terminal one with error and totals, as the last event. */
export function tellState(plan: Plan, now: number): void {
  const { state } = plan;
  const present = planState(plan);
  if (JSON.stringify(present) === JSON.stringify(state.told)) return;
  state.told = present;
  const end = state.verdict ? { error: state.error ?? null, totals: totals(plan) } : {};
  record(state, now, 'PlanStateChanged', { state: present, ...end });
}
