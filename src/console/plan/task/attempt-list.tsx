import { useQuery } from '@tanstack/react-query';
import { Download, Play } from 'lucide-react';
import { useMemo } from 'react';
import { addressOf, taskPath } from '../../api/client.ts';
import type { AttemptLog, Plan, Task } from '../../api/types.ts';
import { useStory } from '../../live/use-story.ts';
import { useNow } from '../../ui/clock.ts';
import { plainText } from '../../ui/plain-text.ts';
import { Clock, duration } from '../../ui/times.tsx';
import { EVENT_LOOKS } from '../events/event-words.ts';
import { attemptsQuery } from '../logs/attempts-query.ts';
import { nameOf, size } from '../logs/log-buffer.ts';
import { type Attempt, attemptsOf } from './attempts.ts';

/** More are one of a long story, which the Events tab has. */
const SHOWN = 20;

/** Each attempt: when, how it ended, and what it wrote. */
export function AttemptList({ plan, task }: { plan: Plan; task: Task }) {
  const { data: story } = useStory(plan);
  const { data: logs } = useQuery(attemptsQuery(plan, task.id));
  const attempts = useMemo(
    () => attemptsOf(story?.entries ?? [], task.id, plan.run, logs ?? []),
    [story, task.id, plan.run, logs],
  );
  if (attempts.length === 0) return null;
  return (
    <section>
      <h3>{attempts.length === 1 ? 'Attempt' : `${attempts.length} attempts`}</h3>
      <ul className="attempts">
        {attempts.slice(0, SHOWN).map((attempt) => (
          <li key={`${attempt.run} ${attempt.started_at}`}>
            <OneAttempt attempt={attempt} plan={plan} task={task} />
          </li>
        ))}
      </ul>
      {attempts.length > SHOWN && <p className="hint">{attempts.length - SHOWN} earlier ones are among the events.</p>}
    </section>
  );
}

const ENDED: Partial<Record<string, string>> = {
  TaskSucceeded: 'Succeeded',
  TaskFailed: 'Failed',
  TaskRetried: 'Failed, tried again',
  TaskLost: 'Lost its worker',
  TaskInterrupted: 'Interrupted',
  TaskSkipped: 'Skipped',
  TaskCancelled: 'Cancelled',
};

function OneAttempt({ attempt, plan, task }: { attempt: Attempt; plan: Plan; task: Task }) {
  const { run, attempt: number, started_at, ended_at, end, message, logs } = attempt;
  const { icon: Icon, tone } = end ? EVENT_LOOKS[end] : { icon: Play, tone: 'blue' };
  return (
    <div className="attempt" data-tone={tone}>
      <Icon aria-hidden size={16} className="attempt-icon" />
      <div>
        <strong>{end ? ENDED[end] : 'At work'}</strong>
        <span className="muted">
          {' '}
          {plan.run > 1 && `run ${run}, `}attempt {number}
        </span>
        <div className="muted attempt-times">
          <Clock at={started_at} /> for <Span from={started_at} to={ended_at} />
        </div>
        {message !== undefined && <p className="attempt-message">{plainText(message)}</p>}
        {logs.map((log) => (
          <LogLink key={nameOf(log)} plan={plan} task={task} log={log} />
        ))}
      </div>
    </div>
  );
}

/** How long it took, or takes. */
export function Span({ from, to }: { from: string; to: string | undefined }) {
  if (to === undefined) return <SpanSoFar from={from} />;
  return duration(Date.parse(to) - Date.parse(from));
}
function SpanSoFar({ from }: { from: string }) {
  return `${duration(Math.max(1_000, useNow() - Date.parse(from)))} so far`;
}

function LogLink({ plan, task, log }: { plan: Plan; task: Task; log: AttemptLog }) {
  const { run, attempt, dispatch, bytes, dropped } = log;
  return (
    <a
      className="attempt-log"
      href={addressOf(taskPath(plan.plan_id, task.id, '/logs'), { run, attempt, dispatch })}
      download={`${task.id.replaceAll(/[^\w.-]+/g, '-')}-${nameOf(log)}.log`}
    >
      <Download aria-hidden size={14} /> Log{dispatch > 1 && ` ${dispatch}`}, {size(bytes)}
      {dropped !== undefined && ` (${size(dropped)} not kept)`}
    </a>
  );
}
