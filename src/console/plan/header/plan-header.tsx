import { useQuery } from '@tanstack/react-query';
import { aboutQuery } from '../../api/queries.ts';
import type { Plan } from '../../api/types.ts';
import { PlanBadge } from '../../ui/badge.tsx';
import { plainText } from '../../ui/plain-text.ts';
import { PlanControls } from '../controls/plan-controls.tsx';
import { PlanError } from './plan-error.tsx';
import { PlanFacts } from './plan-facts.tsx';
import { PlanLinks } from './plan-links.tsx';
import { PlanProgress } from './plan-progress.tsx';
import { Standstill } from './standstill.tsx';
import { Transition } from './transition.tsx';
import './header.css';

/** What a plan is, how far it is, and what may be done about it. */
export function PlanHeader({ plan }: { plan: Plan }) {
  const { data: about } = useQuery({ ...aboutQuery, retry: false });
  return (
    <>
      <Standstill plan={plan} />
      <header className="plan-header">
        <div className="plan-title">
          <h1>{plainText(plan.name)}</h1>
          <span className="row" aria-live="polite">
            <PlanBadge status={plan.state.status} />
            <Transition plan={plan} />
          </span>
        </div>
        <PlanControls plan={plan} />
        <PlanProgress plan={plan} />
        <PlanFacts plan={plan} />
        <PlanLinks plan={plan} about={about} />
        {plan.error && <PlanError error={plan.error} />}
      </header>
    </>
  );
}
