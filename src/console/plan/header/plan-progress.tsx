import { useMemo } from 'react';
import type { Plan } from '../../api/types.ts';
import { PLAN_BADGES } from '../../ui/badges.ts';
import { TaskButton } from './task-button.tsx';

/** More tasks at a time are counted, not named. */
const NAMED = 3;

/** How far the plan is, and what it is at. */
export function PlanProgress({ plan }: { plan: Plan }) {
  const { progress, current_tasks, tasks, position, state } = plan;
  const failed = useMemo(() => tasks.filter(({ status, handler }) => status === 'failed' && !handler).length, [tasks]);
  const counts = `${progress.done} of ${progress.total} done`;
  return (
    <div className="plan-progress">
      <div
        className="progress"
        data-tone={PLAN_BADGES[state.status].tone}
        role="progressbar"
        aria-label="Progress"
        aria-valuenow={progress.percentage}
        aria-valuetext={`${progress.percentage} %, ${counts}`}
      >
        <div style={{ width: `${progress.percentage}%` }} />
      </div>
      <p className="plan-counts">
        <strong>{progress.percentage} %</strong> <span>{counts}</span>
        {failed > 0 && <span className="plan-failed">{failed} failed</span>}
        {position.iterations !== undefined && (
          <span>
            input {position.iteration} of {position.iterations}, step {position.step} of {position.steps}
          </span>
        )}
        {current_tasks.length > 0 && (
          <span>
            at work:{' '}
            {current_tasks.slice(-NAMED).map((id) => (
              <TaskButton key={id} id={id} />
            ))}
            {current_tasks.length > NAMED && ` and ${current_tasks.length - NAMED} more`}
          </span>
        )}
      </p>
    </div>
  );
}
