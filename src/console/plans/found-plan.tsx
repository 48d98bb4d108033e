import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { planQuery } from '../api/queries.ts';
import { PlanBadge } from '../ui/badge.tsx';
import { plainText } from '../ui/plain-text.ts';

/** The plan whose whole id was given in place of a name; the list is searched by names alone. */
export function FoundPlan({ planId }: { planId: string }) {
  const { data: plan, error } = useQuery({ ...planQuery(planId), retry: false });
  if (error && !plan) return <p className="muted found-plan">No plan has the id {planId}.</p>;
  if (!plan) return <p className="muted found-plan">Looking for the plan of this id …</p>;
  return (
    <p className="card row found-plan">
      <span>The plan of this id:</span>
      <Link to="/plans/$planId" params={{ planId }}>
        {plainText(plan.name)}
      </Link>
      <PlanBadge status={plan.state.status} />
    </p>
  );
}
