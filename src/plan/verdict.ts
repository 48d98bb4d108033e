import type { Handler } from './definition.ts';
import { record } from './events.ts';
import { inFlight, type Phase, type Plan, phaseOf, planState, taskAt } from './plan.ts';
import { totals } from './progress.ts';
import { isInLine } from './slot.ts';
import type { PlanError, Verdict } from './state.ts';
import { cancelTask, skip, whyCancelled } from './task-endings.ts';

/** The handlers of each ending, in order. */
const HANDLED = {
  completed: ['on_success', 'finally'],
  failed: ['on_failure', 'finally'],
} as const satisfies Record<string, readonly Handler[]>;

/**
 * Gives the verdict once nothing is in flight and nothing more may start; `completed` only when every task ended and none
 * failed the plan. Handlers have their turn in between: then it gives true, for there is more to start.
 * A failure that comes while the plan is paused is acted on when it is resumed, unless it was the last thing left.
 */
export function conclude(plan: Plan, now: number): boolean {
  const { state } = plan;
  if (state.verdict || inFlight(plan)) return false;
  if (state.stop) {
    end(plan, 'stopped', now);
    return false;
  }
  if (!state.closing) decide(plan);
  if (!state.closing) return false;
  return handle(plan, now);
}

function decide(plan: Plan): void {
  const { state, index } = plan;
  const all = index.open.main === 0;
  const [first] = index.fatal;
  if (first !== undefined && (all || !state.pause)) {
    const { task, at } = taskAt(plan, first);
    state.error = { ...at.error!, task: plan.path + task.id };
    state.closing = { verdict: 'failed', phase: 'cancel' };
  } else if (all) state.closing = { verdict: 'completed', phase: 'cancel' };
}

/** Goes on to the next handlers that there are, or to the end. */
function handle(plan: Plan, now: number): boolean {
  const { state, index, definition } = plan;
  const closing = state.closing!;
  if (closing.phase === 'cancel') cancelOpen(plan, 'main', now);
  const phases: readonly Phase[] = ['cancel' as Phase, ...HANDLED[closing.verdict]];
  const next = phases.slice(phases.indexOf(closing.phase as Phase)).find((phase) => index.open[phase] > 0);
  if (next === undefined || next === 'main') {
    end(plan, closing.verdict, now);
    return false;
  }
  if (next === closing.phase) return false;
  closing.phase = next;
  index.candidates = definition.tasks.flatMap((task, i) =>
    phaseOf(task) === next && index.unmet[i] === 0 && state.tasks[i]!.status === 'pending' ? [i] : [],
  );
  return true;
}

function cancelOpen(plan: Plan, phase: Phase, now: number): void {
  const reason = whyCancelled(plan);
  plan.definition.tasks.forEach((task, i) => {
    if (phaseOf(task) === phase) cancelTask(plan, i, reason, now);
  });
  plan.index.candidates = [];
}

/** Ends a plan that cannot go on as failed, whatever has not ended. */
export function giveUp(plan: Plan, error: PlanError, now: number): void {
  plan.state.error = error;
  end(plan, 'failed', now);
  tellState(plan, now);
}

const VERDICT_EVENTS = { completed: 'PlanCompleted', failed: 'PlanFailed' } as const;

function end(plan: Plan, verdict: Verdict, now: number): void {
  const { state, definition } = plan;
  const reason = whyCancelled(plan);
  definition.tasks.forEach((task, i) => {
    if (state.stop || phaseOf(task) === 'main') cancelTask(plan, i, reason, now);
    else if (state.tasks[i]!.status === 'pending') skip(plan, i, `the plan ${verdict}`, now);
  });
  state.verdict = verdict;
  state.pause = undefined;
  state.review = undefined;
  state.start_at = undefined;
  state.deadline = undefined;
  state.closing = undefined;
  // A stop was recorded when it was asked for, with who asked.
  if (verdict === 'stopped') {
    state.error = undefined;
    return;
  }
  const { error } = state;
  record(state, now, VERDICT_EVENTS[verdict], error ? { task: error.task, message: error.message } : {});
}

/** Records the plan's state whenever it is not the one last recorded; a terminal one with error and totals, as the last event. */
export function tellState(plan: Plan, now: number): void {
  const { state, definition } = plan;
  const present = planState(plan);
  if (JSON.stringify(present) === JSON.stringify(state.told)) return;
  state.told = present;
  const end = state.verdict ? { error: state.error ?? null, totals: totals(plan) } : {};
  const turn = isInLine(plan) && present.status === 'stand_by';
  const message = turn && { message: `it waits for a slot of group ${definition.concurrency!.group}` };
  record(state, now, 'PlanStateChanged', { state: present, ...message, ...end });
}
