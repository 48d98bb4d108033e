import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Workflow } from 'lucide-react';
import { useEffect } from 'react';
import { isTerminal } from '../../plan/lifecycle.ts';
import { aboutQuery, planQuery } from '../api/queries.ts';
import type { Operation } from '../api/types.ts';
import { PlanLinks } from '../plan/header/plan-links.tsx';
import { Badge } from '../ui/badge.tsx';
import { PLAN_BADGES } from '../ui/badges.ts';
import { isRunning } from './queries.ts';

/** Between the end of an operation and that of its plan there is next to nothing: it is asked for again so often. */
const ENDS_MS = 1_000;

/** An operation is a plan: its tasks, attempts, events and requests are there. */
export function ForOperators({ operation }: { operation: Operation }) {
  const { plan_id } = operation;
  const { data: plan, refetch } = useQuery(planQuery(plan_id));
  // The operation is told at once that it has ended; its plan is asked for it.
  const isLate = plan !== undefined && !isRunning(operation) && !isTerminal(plan.state.status);
  useEffect(() => {
    if (!isLate) return;
    void refetch();
    const timer = setInterval(() => void refetch(), ENDS_MS);
    return () => clearInterval(timer);
  }, [isLate, refetch]);
  const { data: about } = useQuery(aboutQuery);
  return (
    <section className="card for-operators" aria-labelledby="operators">
      <h2 id="operators">What operators see</h2>
      <p className="muted">The plan that runs it, with each step, attempt, request and event.</p>
      <p className="row">
        <Link to="/plans/$planId" params={{ planId: plan_id }} className="operation-plan">
          <Workflow aria-hidden size={14} /> Its plan
        </Link>
        {plan && <Badge look={PLAN_BADGES[plan.state.status]} />}
      </p>
      {plan && <PlanLinks plan={plan} about={about} />}
    </section>
  );
}
