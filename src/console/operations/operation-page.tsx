import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { CircleX } from 'lucide-react';
import { useEffect } from 'react';
import { planQuery } from '../api/queries.ts';
import { Badge } from '../ui/badge.tsx';
import { Failure } from '../ui/failure.tsx';
import { plainText } from '../ui/plain-text.ts';
import { Ago, Clock } from '../ui/times.tsx';
import { CancelOperation } from './cancel-operation.tsx';
import { ForOperators } from './for-operators.tsx';
import { Lines } from './lines.tsx';
import { ACCEPTED_REVIEW, failureInLine, inRequests, PHASE_BADGES } from './looks.ts';
import { Results } from './operation-results.tsx';
import type { SessionPlace } from './places.ts';
import { ProgramPath } from './program-path.tsx';
import { isRunning, type OperationView, operationQuery } from './queries.ts';
import { StandsStill } from './stands-still.tsx';
import './operations.css';

const route = getRouteApi('/programs/$hash/$session/$handle');

/** An operation by its handle; another one is another page. */
export function OperationPage() {
  const { hash, session, handle } = route.useParams();
  const { surface = 'http' } = route.useSearch();
  return (
    <Operation key={`${hash} ${surface} ${session} ${handle}`} place={{ hash, session, surface }} handle={handle} />
  );
}

/** What it tells, and what it has read. */
function Operation({ place, handle }: { place: SessionPlace; handle: string }) {
  const { session } = place;
  const { data: operation, error, refetch } = useQuery(operationQuery(place, handle));
  useEffect(() => {
    document.title = `${handle} – ${session} – Holdpoint`;
  }, [handle, session]);
  if (error && !operation) return <Failure error={error} retry={() => void refetch()} />;
  if (!operation) return <p className="muted">Reading the operation …</p>;
  const { phase, verdict, program, plan_commit_ref, commit_id, accepted_at, ended_at, calls } = operation;
  return (
    <div className="programs stack">
      <header className="program-head">
        <ProgramPath of={place} />
        <div className="operation-title">
          <h1 className="mono">{handle}</h1>
          <span aria-live="polite">
            <Badge look={PHASE_BADGES[phase]} />
          </span>
          {verdict === 'review' && <Badge look={ACCEPTED_REVIEW} />}
          {isRunning(operation) && <CancelOperation place={place} operation={operation} />}
        </div>
        <pre className="operation-text">{plainText(program)}</pre>
        <p className="operation-facts muted">
          <span>
            accepted <Ago at={accepted_at} />
          </span>
          {ended_at !== null && (
            <span>
              ended <Clock at={ended_at} />
            </span>
          )}
          {calls !== null && <span>{inRequests(calls)}</span>}
          {plan_commit_ref !== null && (
            <span>
              by the dry run <code>{plan_commit_ref}</code>
            </span>
          )}
          <span title={commit_id}>
            commit <code>{commit_id.slice(0, 12)}</code>
          </span>
        </p>
        {phase === 'failed' && <Reason operation={operation} />}
        <StandsStill operation={operation} />
      </header>
      <div className="operation-parts">
        <Results place={place} operation={operation} />
        <div className="stack">
          <Lines place={place} operation={operation} />
          <ForOperators operation={operation} />
        </div>
      </div>
    </div>
  );
}

/** Why it failed: as its plan tells it, and until that is read by its last line, which is cut where it is long. */
function Reason({ operation: { plan_id, line } }: { operation: OperationView }) {
  const { data: plan } = useQuery(planQuery(plan_id));
  const message = plan?.error?.message ?? failureInLine(line);
  if (message === undefined) return null;
  return (
    <p className="operation-reason" data-tone="red">
      <CircleX aria-hidden size={18} />
      <span>{plainText(message)}</span>
    </p>
  );
}
