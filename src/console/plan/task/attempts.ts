import type { AttemptLog, Event as PlanEvent } from '../../api/types.ts';
import type { Entry } from '../events/event-words.ts';
import { groupsOf } from '../events/groups.ts';

export interface Attempt {
  run: number;
  attempt: number;
  started_at: string;
  ended_at?: string;
  /** How it ended; absent while it is at work. */
  end?: PlanEvent['type'];
  message?: string;
  /** What it wrote; one that was begun again because its worker was lost has several. */
  logs: AttemptLog[];
}

const ENDS: readonly PlanEvent['type'][] = [
  'TaskSucceeded',
  'TaskFailed',
  'TaskRetried',
  'TaskLost',
  'TaskInterrupted',
  'TaskSkipped',
  'TaskCancelled',
];

/** The attempts that a story tells of, newest first. */
export function attemptsOf(
  story: readonly Entry[],
  task: string,
  lastRun: number,
  logs: readonly AttemptLog[],
): Attempt[] {
  const attempts: Attempt[] = [];
  for (const { run, entries } of groupsOf(story, lastRun).toReversed())
    for (const entry of entries.toReversed()) {
      if (!('task' in entry) || entry.task !== task) continue;
      const last = attempts.at(-1);
      if (entry.type === 'TaskStarted') attempts.push(begun(run, entry));
      else if (last && last.run === run && last.end === undefined && ENDS.includes(entry.type)) end(last, entry);
    }
  for (const log of logs) {
    // One that was lost or interrupted begins again under the same number: its log is that of the one which was at work then.
    const own = attempts.filter(({ run, attempt }) => run === log.run && attempt === log.attempt);
    const at = own.findLast(({ started_at }) => started_at <= log.started_at) ?? own[0];
    at?.logs.push(log);
  }
  return attempts.reverse();
}

const begun = (run: number, { at, attempt = 1 }: PlanEvent): Attempt => ({ run, attempt, started_at: at, logs: [] });

function end(attempt: Attempt, { at, type, message }: PlanEvent): void {
  attempt.ended_at = at;
  attempt.end = type;
  if (message !== undefined) attempt.message = message;
}
