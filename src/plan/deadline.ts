import { startClock } from './clocks.ts';
import { record } from './events.ts';
import type { Plan } from './plan.ts';
import { lacksSlot } from './slot.ts';

/** The deadline's clock begins with the plan's work: not before it is approved, its start time has come, and its group has a slot for it. */
export function startDeadline({ definition, state }: Plan, now: number): void {
  if (definition.deadline_ms === undefined || state.deadline || state.closing) return;
  if (state.review || state.pause || state.start_at !== undefined || lacksSlot({ definition, state })) return;
  state.deadline = startClock(definition.deadline_ms, now);
}

/** What still runs is cancelled; then the plan has failed, and its handlers have their turn. */
export function deadlinePassed(plan: Plan, now: number): void {
  const { state } = plan;
  state.deadline = undefined;
  state.closing = { verdict: 'failed', phase: 'cancel' };
  state.error = { code: 'DEADLINE_EXCEEDED', message: 'the plan did not end before its deadline' };
  record(state, now, 'DeadlinePassed');
}
