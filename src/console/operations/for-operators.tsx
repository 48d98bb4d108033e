import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Workflow } from 'lucide-react';
import { aboutQuery, planQuery } from '../api/queries.ts';
import type { Operation } from '../api/types.ts';
import { PlanLinks } from '../plan/header/plan-links.tsx';
import { Badge } from '../ui/badge.tsx';
import { PLAN_BADGES } from '../ui/badges.ts';

/** An operation is a plan: its tasks, attempts, events and requests are there. */
export function ForOperators({ operation: { plan_id } }: { operation: Operation }) {
  const { data: plan } = useQuery(planQuery(plan_id));
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
