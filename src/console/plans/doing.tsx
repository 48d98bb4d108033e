import { isTerminal } from '../../plan/lifecycle.ts';
import type { Plan, WaitingFor } from '../api/types.ts';
import { plainText } from '../ui/plain-text.ts';
import { Ago } from '../ui/times.tsx';
import type { Present } from './use-present.ts';

/** In short what a plan is at, or what it waits for; why it failed, where that is known. */
export function Doing({ state, plan }: Present) {
  if (!plan) return null;
  if (isTerminal(state.status))
    return plan.error && <span className="doing-text cut">{plainText(plan.error.message)}</span>;
  const { percentage, done, total } = plan.progress;
  return (
    <>
      <span className="doing-bar">
        <span
          className="progress"
          role="progressbar"
          aria-label={`Progress of ${plainText(plan.name)}`}
          aria-valuenow={percentage}
          aria-valuetext={`${percentage} %, ${done} of ${total} tasks`}
        >
          <span style={{ width: `${percentage}%` }} />
        </span>
        <span className="doing-percentage">{percentage} %</span>
      </span>
      <span className="doing-text cut">
        <Now plan={plan} />
      </span>
    </>
  );
}

function Now({ plan }: { plan: Plan }) {
  const { current_tasks, waiting_for } = plan;
  if (plan.stuck !== undefined) return <>Stuck: {plainText(plan.stuck)}</>;
  if (!plan.freshness.live) return <>Last known: {plan.freshness.message ?? 'no worker answers'}</>;
  if (plan.stopping) return <>Being stopped</>;
  if (plan.pausing) return <>Pauses when {some(current_tasks)} has ended</>;
  if (current_tasks.length > 0) return <>{some(current_tasks)}</>;
  const [first, ...others] = waiting_for;
  if (!first) return null;
  return (
    <span title={waiting_for.map(({ text }) => plainText(text)).join('\n')}>
      <Wait for={first} />
      {others.length > 0 && ` and ${others.length} more`}
    </span>
  );
}

const some = (tasks: string[]): string =>
  tasks.length > 1 ? `${tasks.at(-1)} and ${tasks.length - 1} more` : (tasks[0] ?? 'what runs');

function Wait({ for: { what, task, by, until, text } }: { for: WaitingFor }) {
  const when = until && <Ago at={until} />;
  switch (what) {
    case 'review':
      return <>Waits for a review</>;
    case 'resume':
      return <>Paused by {plainText(by ?? '')}</>;
    case 'start_time':
      return <>Starts {when}</>;
    case 'question':
      return <>Asks at {task}</>;
    case 'wait':
      return (
        <>
          {task} ends {when}
        </>
      );
    case 'back_off':
      return (
        <>
          Tries {task} again {when}
        </>
      );
    case 'release':
      return (
        <>
          {task} is held by {plainText(by ?? '')}
        </>
      );
    default:
      return <>Waits for {plainText(text)}</>;
  }
}
