import type { Plan } from '../../api/types.ts';
import { PlanBadge } from '../../ui/badge.tsx';

export function PlanHeader({ plan }: { plan: Plan }) {
  return (
    <header className="row">
      <h1>{plan.name}</h1>
      <PlanBadge status={plan.state.status} />
    </header>
  );
}
