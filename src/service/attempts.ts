import type { PlanEvent } from '../plan/events.ts';

/** One try of a task, as the plan's events tell it. Times are ISO 8601. */
export interface AttemptRecord {
  attempt: number;
  started_at: string;
  ended_at?: string;
  how?: 'succeeded' | 'failed' | 'lost' | 'cancelled';
  message?: string;
}

const ENDINGS: Partial<Record<PlanEvent['type'], AttemptRecord['how']>> = {
  TaskSucceeded: 'succeeded',
  TaskFailed: 'failed',
  TaskRetried: 'failed',
  TaskLost: 'lost',
  TaskCancelled: 'cancelled',
};

/** The attempts of a task in the plan's last run, the first of them first. */
export function attemptsOf(events: readonly PlanEvent[], task: string): AttemptRecord[] {
  const begin = events.findLastIndex(({ type }) => type === 'RunStarted');
  const attempts: AttemptRecord[] = [];
  for (const event of events.slice(begin + 1)) {
    if (event.task !== task) continue;
    const how = ENDINGS[event.type];
    const at = new Date(event.at).toISOString();
    const last = attempts.at(-1);
    if (event.type === 'TaskStarted') attempts.push({ attempt: event.attempt ?? 1, started_at: at });
    else if (how && last && last.how === undefined)
      Object.assign(last, { ended_at: at, how, ...(event.message !== undefined && { message: event.message }) });
  }
  return attempts;
}
