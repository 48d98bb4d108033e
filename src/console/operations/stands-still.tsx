import { Link } from '@tanstack/react-router';
import type { OperationView } from './queries.ts';

/** Why an operation stands still, or part of it, and where that is answered: on the page of its plan. */
export function StandsStill({ operation: { waiting_for, plan_id } }: { operation: OperationView }) {
  if (waiting_for.length === 0) return null;
  return (
    <section className="operation-waits" aria-label="Why it stands still">
      <ul>
        {waiting_for.map(({ what, text, task }) => (
          <li key={`${what} ${task ?? ''}`}>{text}</li>
        ))}
      </ul>
      {waiting_for.some(({ ways = [] }) => ways.length > 0) && (
        <Link to="/plans/$planId" params={{ planId: plan_id }}>
          Go on with it in its plan
        </Link>
      )}
    </section>
  );
}
