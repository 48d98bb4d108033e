import { Link } from '@tanstack/react-router';
import type { AgentExecution } from '../api/types.ts';
import { Badge } from '../ui/badge.tsx';
import { useNow } from '../ui/clock.ts';
import { plainText } from '../ui/plain-text.ts';
import { Clock, duration } from '../ui/times.tsx';
import { amount, inUnit } from '../usage/amounts.ts';
import type { AgentError } from './heard.ts';
import { AGENT_BADGES } from './looks.ts';

interface AgentProps {
  execution: AgentExecution;
  /** The last that went wrong, also when it is tried again. */
  told: AgentError | undefined;
  runId: string | null;
}

/** One agent: how it stands, since when, what it took, and what it gave. */
export function Agent({ execution, told, runId }: AgentProps) {
  const { agentName, status, startedAt, tokens, cost, attempt, output, reason } = execution;
  const error = execution.error ?? (status === 'completed' ? undefined : told?.error);
  return (
    <li className="agent" data-status={status}>
      <div className="agent-head">
        <strong className="agent-name">{agentName}</strong>
        <Badge look={AGENT_BADGES[status]} />
      </div>
      {startedAt !== null && status !== 'pending' && (
        <p className="agent-facts muted">
          <span>
            <span className="visually-hidden">began </span>
            <Clock at={new Date(startedAt).toISOString()} />
          </span>
          <span>
            <Took execution={execution} />
          </span>
          {attempt > 1 && <span>attempt {attempt}</span>}
          {tokens > 0 && <span>{inUnit(tokens, 'tokens')}</span>}
          {cost > 0 && <span>cost {amount(cost)}</span>}
        </p>
      )}
      {error !== undefined && (
        <p className="agent-error">
          {plainText(error)} {told?.errorType && <code>{told.errorType}</code>}
        </p>
      )}
      {reason !== undefined && <p className="muted">{plainText(reason)}</p>}
      {output && (
        <details>
          <summary>
            Output<span className="visually-hidden"> of {agentName}</span>
          </summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard. */}
          <pre className="block" tabIndex={0}>
            {plainText(output.json === undefined ? output.content : JSON.stringify(output.json, null, 2))}
          </pre>
          {output.truncated && runId && (
            <p className="hint">
              That is its beginning; the whole is in{' '}
              <Link to="/plans/$planId" params={{ planId: runId }}>
                its plan
              </Link>
              .
            </p>
          )}
        </details>
      )}
    </li>
  );
}

/** So long as it has run, it counts on. */
function Took({ execution: { startedAt, completedAt, status } }: { execution: AgentExecution }) {
  const now = useNow();
  if (startedAt === null) return null;
  if (completedAt !== null) return <>took {duration(completedAt - startedAt)}</>;
  return status === 'running' ? <>for {duration(Math.max(0, now - startedAt))}</> : null;
}
