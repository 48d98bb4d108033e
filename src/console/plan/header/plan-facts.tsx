import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isTerminal } from '../../../plan/lifecycle.ts';
import type { Plan } from '../../api/types.ts';
import { plainText } from '../../ui/plain-text.ts';
import { Ago } from '../../ui/times.tsx';
import { usePlanUsage } from '../../usage/plan-usage.ts';
import { CopyId } from './copy-id.tsx';
import { useRunMode } from './use-run-mode.ts';

/** What else is known of a plan, in a line. */
export function PlanFacts({ plan }: { plan: Plan }) {
  const { plan_id, run, created_at, created_by, updated_at, deadline_at, state, concurrency, worktree } = plan;
  const mode = useRunMode(plan);
  const began = startOf(plan);
  const usage = usePlanUsage(plan);
  return (
    <dl className="plan-facts">
      <Fact name="Id">
        <CopyId id={plan_id} />
      </Fact>
      <Fact name="Run">
        {run}
        {run > 1 && mode && (
          <span className="muted"> ({mode === 'retry' ? 'retry' : `resumed from run ${run - 1}`})</span>
        )}
      </Fact>
      <Fact name="Created">
        <Ago at={created_at} />
        {created_by !== '' && ` by ${plainText(created_by)}`}
      </Fact>
      {began && (
        <Fact name="Started">
          <Ago at={began} />
        </Fact>
      )}
      {isTerminal(state.status) && (
        <Fact name="Ended">
          <Ago at={updated_at} />
        </Fact>
      )}
      {deadline_at && (
        <Fact name="Deadline">
          <Ago at={deadline_at} />
        </Fact>
      )}
      {usage !== undefined && <Fact name="Models">{usage}</Fact>}
      {concurrency && (
        <Fact name="Group">
          {concurrency.group}: {SLOTS[concurrency.slot]}
          {concurrency.place !== undefined && `, place ${concurrency.place}`}
          {concurrency.running?.map((id) => (
            <span key={id}>
              {' '}
              <Link to="/plans/$planId" params={{ planId: id }} title={`The plan ${id}, which has a slot`}>
                {id.slice(0, 8)}
              </Link>
            </span>
          ))}
        </Fact>
      )}
      {worktree && (
        <Fact name="Worktree">
          <span title={`${worktree.path}, of ${worktree.repository}, begun from ${worktree.base}`}>
            <code>{worktree.branch}</code>
          </span>
        </Fact>
      )}
      {Object.entries(labelsOf(plan)).map(([key, value]) => (
        <Fact key={key} name={plainText(key)}>
          {plainText(value)}
        </Fact>
      ))}
    </dl>
  );
}

const SLOTS = { held: 'has a slot', waiting: 'in line for a slot', none: 'needs no slot now' } as const;

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** When the first of its tasks began, of this run or an earlier one. */
function startOf({ tasks }: Plan): string | undefined {
  let first: string | undefined;
  for (const { started_at } of tasks) if (started_at && (!first || started_at < first)) first = started_at;
  return first;
}

const labelsOf = (plan: Plan & { labels?: Record<string, string> }): Record<string, string> => plan.labels ?? {};
