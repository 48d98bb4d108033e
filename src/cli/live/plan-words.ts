import type { PlanStatus } from '../../plan/lifecycle.ts';
import type { ReadPlan } from '../../service/read-plan.ts';
import { count, localTime, oneLine } from '../render/text.ts';
import { until } from './elapsed.ts';

/** A plan's state as one says it: who paused it, what it waits for. */
export function planInWords(view: ReadPlan, now: number): string {
  const { state, pausing, stopping, waiting_for } = view;
  const held = waiting_for.find(({ what }) => what === 'resume');
  if (stopping) return 'being stopped: what runs is ended';
  if (pausing) return `pausing${held?.by ? `, asked by ${oneLine(held.by)}` : ''}: what runs ends first`;
  if (state.status === 'paused' && held?.by)
    return `paused by ${oneLine(held.by)}${held.since ? ` since ${localTime(held.since)}` : ''}`;
  const turn = waiting_for.find(({ what }) => what === 'group');
  if (turn) return `waits for ${turn.text}`;
  if (state.status === 'stand_by')
    return `waits for time: ${until(state.next_execution_at, now)} left, until ${localTime(state.next_execution_at)}`;
  if (state.status === 'awaiting_input') return `waits for ${count(view.questions.length || 1, 'answer')}`;
  return WORDS[state.status];
}

const WORDS: Record<Exclude<PlanStatus, 'stand_by' | 'awaiting_input'>, string> = {
  pending_review: 'waits for review',
  executing: 'executing',
  paused: 'paused',
  completed: 'completed',
  failed: 'failed',
  stopped: 'stopped',
};
