import { Link } from '@tanstack/react-router';
import { Workflow } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { PHASES } from '../../plan/wire-line.ts';
import { Badge } from '../ui/badge.tsx';
import { plainText } from '../ui/plain-text.ts';
import { Ago } from '../ui/times.tsx';
import { CancelOperation } from './cancel-operation.tsx';
import { ACCEPTED_REVIEW, inRows, kindOfLine, LINE_BADGES, rowsInLine } from './looks.ts';
import { operationLink, type SessionPlace } from './places.ts';
import { isRunning, type OperationView } from './queries.ts';
import { useLine } from './use-lines.ts';

interface OperationRowProps {
  place: SessionPlace;
  operation: OperationView;
  /** Its lines are heard as they come. */
  watched: boolean;
  /** Says, to those who do not see it, what has become of it. */
  tell: (words: string) => void;
}

/** One operation: what it said last, and what may be done about it. */
export function OperationRow({ place, operation, watched, tell }: OperationRowProps) {
  const { handle, op, verdict, plan_id, accepted_at } = operation;
  const program = plainText(operation.program);
  const { n, line } = useLine(place, operation, watched);
  // Both are of the same moment.
  const rows = n > op.n ? rowsInLine(line) : op.r;
  const kind = kindOfLine(line);
  const look = LINE_BADGES[kind];
  // Its last line may be heard before the list is read again.
  const goesOn = isRunning(operation) && PHASES[kind] === 'running';
  useEnd(isRunning(operation), () => tell(`${handle}: ${look.words}`));
  return (
    <li className="operation" data-phase={operation.phase}>
      <div className="operation-head">
        <Link {...operationLink(place, handle)} className="operation-handle mono">
          {handle}
        </Link>
        <Badge look={look} />
        {verdict === 'review' && <Badge look={ACCEPTED_REVIEW} />}
      </div>
      <code className="operation-line">{plainText(line)}</code>
      <p className="operation-program muted mono cut" title={program}>
        {program}
      </p>
      <div className="operation-facts muted">
        {rows !== undefined && <span>{inRows(rows)}</span>}
        <Ago at={accepted_at} />
        <Link to="/plans/$planId" params={{ planId: plan_id }} className="operation-plan">
          <Workflow aria-hidden size={14} /> Plan<span className="visually-hidden"> of {handle}</span>
        </Link>
        {goesOn && <CancelOperation place={place} operation={operation} />}
      </div>
    </li>
  );
}

/** Called once when something that ran has ended. */
function useEnd(runs: boolean, tell: () => void): void {
  const ran = useRef(runs);
  useEffect(() => {
    if (ran.current && !runs) tell();
    ran.current = runs;
  });
}
