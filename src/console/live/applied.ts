import type { EventType } from '../../plan/events.ts';
import { isTerminal } from '../../plan/lifecycle.ts';
import type { Plan, Event as PlanEvent, Task } from '../api/types.ts';

/** What of a task an event tells. */
const TASK: Partial<Record<EventType, (event: PlanEvent) => Partial<Task>>> = {
  TaskStarted: ({ at, attempt }) => ({ status: 'running', started_at: at, ...(attempt !== undefined && { attempt }) }),
  TaskSucceeded: ({ at }) => ({ status: 'succeeded', ended_at: at }),
  TaskFailed: ({ at }) => ({ status: 'failed', ended_at: at }),
  TaskSkipped: ({ at }) => ({ status: 'skipped', ended_at: at }),
  TaskCancelled: ({ at }) => ({ status: 'cancelled', ended_at: at }),
};

/**
 * The plan after an event, as far as the event tells: what else has changed is read a moment later. An event that the plan has
 * already, and one that leaves others out, changes nothing but what is surely newer: its state.
 */
export function applied(plan: Plan, event: PlanEvent): Plan {
  if (event.seq <= plan.seq) return plan;
  const next: Plan = { ...plan, seq: event.seq, updated_at: event.at };
  if (event.state) Object.assign(next, { state: event.state, ...inState(event.state, plan) });
  const change = TASK[event.type]?.(event);
  if (change && event.task !== undefined)
    next.tasks = plan.tasks.map((task) => (task.id === event.task ? { ...task, ...change } : task));
  if (change?.ended_at !== undefined) next.current_tasks = next.current_tasks.filter((id) => id !== event.task);
  return next;
}

/** Nothing of a plan that has ended is at work or waits; one that completed has done all. */
function inState({ status }: Plan['state'], { progress: { total } }: Plan): Partial<Plan> {
  if (!isTerminal(status)) return {};
  const rest = { current_task: null, current_tasks: [], questions: [], waiting_for: [] };
  if (status !== 'completed') return rest;
  return { ...rest, progress: { done: total, total, percentage: 100 }, progress_percentage: 100 };
}
