import { useQuery } from '@tanstack/react-query';
import { MessageCircleOff, MessageCircleQuestionMark, X } from 'lucide-react';
import { useState } from 'react';
import { planQuery } from '../api/queries.ts';
import type { ChatStatus, PendingCheckpoint } from '../api/types.ts';
import { Expiry } from '../plan/attention/expiry.tsx';
import { plainText } from '../ui/plain-text.ts';
import { Ago } from '../ui/times.tsx';
import { CheckpointAnswer } from './checkpoint-answer.tsx';
import type { Resolved } from './heard.ts';

interface CheckpointProps {
  status: ChatStatus;
  resolved: Readonly<Record<string, Resolved>>;
}

/** What the pipeline asks. One that is answered elsewhere does not vanish from under the hands of somebody: it goes dead. */
export function Checkpoint({ status: { pendingCheckpoint, pipelineRunId }, resolved }: CheckpointProps) {
  const [seen, setSeen] = useState<{ runId: string; checkpoint: PendingCheckpoint }>();
  const isNew = pendingCheckpoint !== null && pendingCheckpoint.checkpointId !== seen?.checkpoint.checkpointId;
  const current = isNew && pipelineRunId ? { runId: pipelineRunId, checkpoint: pendingCheckpoint } : seen;
  if (current !== seen) setSeen(current);
  if (!current || current.runId !== pipelineRunId) return null;
  const { checkpoint, runId } = current;
  const { checkpointId, agentName, message, openedAt, expiresAt } = checkpoint;
  const isClosed = pendingCheckpoint?.checkpointId !== checkpointId;
  const Icon = isClosed ? MessageCircleOff : MessageCircleQuestionMark;
  const outcome = isClosed ? outcomeOf(resolved[checkpointId]) : undefined;
  return (
    <section className="card checkpoint" aria-label={`Checkpoint ${agentName}`} data-closed={isClosed || undefined}>
      <header className="checkpoint-head">
        <Icon aria-hidden size={18} />
        <p className="checkpoint-message">{plainText(message)}</p>
        {isClosed && (
          <button
            type="button"
            className="icon-button"
            aria-label="Put the checkpoint away"
            onClick={() => setSeen(undefined)}
          >
            <X aria-hidden size={16} />
          </button>
        )}
      </header>
      <p className="muted">
        {agentName}, asked <Ago at={new Date(openedAt).toISOString()} />
      </p>
      {!isClosed && expiresAt !== null && <Expires runId={runId} checkpoint={checkpoint} at={expiresAt} />}
      <p role="status" className="checkpoint-outcome">
        {outcome}
      </p>
      <CheckpointAnswer key={checkpointId} runId={runId} checkpoint={checkpoint} closed={outcome} />
    </section>
  );
}

/** When, and what is done then: the question of its plan says it in the words that the plan's page has. */
function Expires({ runId, checkpoint, at }: { runId: string; checkpoint: PendingCheckpoint; at: number }) {
  const { data: plan } = useQuery(planQuery(runId));
  const question = plan?.questions.find(({ id }) => id === checkpoint.checkpointId);
  return (
    <p className="checkpoint-expiry">
      {question ? (
        <Expiry question={question} />
      ) : (
        <span className="muted">
          expires <Ago at={new Date(at).toISOString()} />
        </span>
      )}
    </p>
  );
}

function outcomeOf(resolved: Resolved | undefined): string {
  if (!resolved) return 'It is not open any more.';
  const { option, timedOut } = resolved;
  if (timedOut) return `Nobody answered in time${option === null ? '.' : `: “${plainText(option)}” is taken.`}`;
  return option === null ? 'It was answered.' : `Answered “${plainText(option)}”.`;
}
