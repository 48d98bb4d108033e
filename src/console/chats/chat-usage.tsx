import { useQuery } from '@tanstack/react-query';
import type { ChatStatus } from '../api/types.ts';
import { amount, inUnit } from '../usage/amounts.ts';
import { Meter } from '../usage/meter.tsx';
import { limitsQuery } from '../usage/queries.ts';
import { runQuery } from './queries.ts';
import '../usage/usage.css';

/** What the run and its chat have taken, of how much they may. */
export function ChatUsage({ status: { chatId, tokens, cost, pipelineRunId } }: { status: ChatStatus }) {
  const run = useQuery({ ...runQuery(pipelineRunId ?? ''), enabled: pipelineRunId !== null, staleTime: 60_000 });
  const projectId = run.data?.project_id ?? undefined;
  const { data, error } = useQuery(limitsQuery({ chatId, projectId }));
  return (
    <section className="card agents" aria-labelledby="usage">
      <h2 id="usage">Usage</h2>
      <dl className="meters">
        {pipelineRunId !== null && (
          <Meter name="This run" unit="tokens" spent={tokens} max={null} more={costWords(cost)} />
        )}
        {data && (
          <>
            {data.spent.chat && (
              <Meter
                name="This chat"
                unit="tokens"
                spent={data.spent.chat.tokens}
                max={data.maxTokensPerChat}
                more={costWords(data.spent.chat.cost)}
              />
            )}
            {projectId !== undefined && data.spent.project && (
              <Meter
                name={`Cost of the project ${projectId}`}
                unit="cost"
                spent={data.spent.project.cost}
                max={data.maxCostPerProject}
              />
            )}
            <Meter
              name="Today (UTC), all chats and plans"
              unit="tokens"
              spent={data.spent.today.tokens}
              max={data.maxTokensPerDay}
              more={data.maxCostPerDay === null ? costWords(data.spent.today.cost) : undefined}
            />
            {data.maxCostPerDay !== null && (
              <Meter name="Cost of today" unit="cost" spent={data.spent.today.cost} max={data.maxCostPerDay} />
            )}
          </>
        )}
      </dl>
      {data && reservedWords(data.spent.chat?.reserved.tokens ?? 0)}
      {error && !data && (
        <p role="alert" className="field-error">
          {error.message}
        </p>
      )}
    </section>
  );
}

/** What is in flight may cost as much. */
const reservedWords = (tokens: number) =>
  tokens > 0 && <p className="hint">Calls under way have reserved {amount(tokens)} tokens more.</p>;

const costWords = (cost: number): string | undefined => (cost > 0 ? inUnit(cost, 'cost') : undefined);
