import type { AgentExecution, ChatStatus } from '../api/types.ts';
import { plainText } from '../ui/plain-text.ts';
import { Agent } from './agent.tsx';
import type { AgentError } from './heard.ts';

interface AgentsProps {
  status: ChatStatus;
  errors: Readonly<Record<string, AgentError>>;
}

/** Who works, has worked and is planned, in the order of the plan; what may not be needed is folded. */
export function Agents({ status: { executions, planned_agents, pipelineRunId }, errors }: AgentsProps) {
  const planned = new Set(planned_agents);
  const skipped = executions.filter(({ status }) => status === 'skipped');
  const isLater = ({ status, agentName }: AgentExecution) => status === 'pending' && !planned.has(agentName);
  const later = executions.filter(isLater);
  const shown = executions.filter((each) => each.status !== 'skipped' && !isLater(each));
  const atWork = shown.filter(({ status }) => status === 'running').map(({ agentName }) => agentName);
  return (
    <section className="card agents" aria-labelledby="agents">
      <h2 id="agents">Agents at work</h2>
      <p className="visually-hidden" role="status">
        {atWork.length > 0 && `At work: ${atWork.join(', ')}`}
      </p>
      {executions.length === 0 && <p className="muted">None yet: a message sets them to work.</p>}
      {shown.length > 0 && (
        <ol className="agents-list" aria-label="Agents">
          {shown.map((execution) => (
            <Agent
              key={execution.agentName}
              execution={execution}
              told={errors[execution.agentName]}
              runId={pipelineRunId}
            />
          ))}
        </ol>
      )}
      {later.length > 0 && (
        <details>
          <summary>Then, where it is needed ({later.length})</summary>
          <p className="agents-names">{later.map(({ agentName }) => agentName).join(', ')}</p>
        </details>
      )}
      {skipped.length > 0 && (
        <details>
          <summary>Skipped ({skipped.length})</summary>
          <ul className="agents-skipped">
            {skipped.map(({ agentName, reason }) => (
              <li key={agentName}>
                {agentName}
                {reason !== undefined && <span className="muted">: {plainText(reason)}</span>}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
