import { getRouteApi, Link } from '@tanstack/react-router';
import { Workflow } from 'lucide-react';
import { useEffect } from 'react';
import type { ChatStatus } from '../api/types.ts';
import { Badge } from '../ui/badge.tsx';
import { Failure } from '../ui/failure.tsx';
import { plainText } from '../ui/plain-text.ts';
import { Agents } from './agents.tsx';
import { ChatUsage } from './chat-usage.tsx';
import { Checkpoint } from './checkpoint.tsx';
import { Composer } from './composer.tsx';
import { InterruptedBanner } from './interrupted-banner.tsx';
import { DISMISSED, RUN_BADGES } from './looks.ts';
import { Messages } from './messages.tsx';
import { rememberChat } from './recent.ts';
import { useChat } from './use-chat.ts';
import './chats.css';

const route = getRouteApi('/chats/$chatId');

/** A chat by its id; another one is another page, with nothing of this one's. */
export function ChatPage() {
  const { chatId } = route.useParams();
  return <Chat key={chatId} chatId={chatId} />;
}

/** Its messages, the agents that work the newest, what they ask, and what they cost. */
function Chat({ chatId }: { chatId: string }) {
  const { status, messages, heard } = useChat(chatId);
  const { data } = status;
  useEffect(() => {
    document.title = `${chatId} – Chats – Holdpoint`;
  }, [chatId]);
  const isKnown = data !== undefined;
  // An id that the API refuses is none.
  useEffect(() => (isKnown ? rememberChat(chatId) : undefined), [chatId, isKnown]);
  if (status.error && !data) return <Failure error={status.error} retry={() => void status.refetch()} />;
  if (!data) return <p className="muted">Reading the chat …</p>;
  return (
    <div className="chat">
      <header className="chat-head">
        <h1>{chatId}</h1>
        <span aria-live="polite">{data.status && <Badge look={lookOf(data)} />}</span>
        {data.pipelineRunId && (
          <Link to="/plans/$planId" params={{ planId: data.pipelineRunId }} className="chat-plan">
            <Workflow aria-hidden size={14} /> Plan of this run
          </Link>
        )}
      </header>
      <div className="chat-talk">
        <Messages messages={messages.data} error={messages.error} />
        {data.status === 'failed' && data.message !== null && (
          <p className="chat-failed" data-tone="red" role="alert">
            <strong>The pipeline failed:</strong> {plainText(data.message)}
          </p>
        )}
        {data.interruptedPipelineId !== null && (
          <InterruptedBanner key={data.interruptedPipelineId} status={data} runId={data.interruptedPipelineId} />
        )}
        <Checkpoint status={data} resolved={heard.resolved} />
        <Composer status={data} />
      </div>
      <div className="chat-side">
        <Agents status={data} errors={heard.errors} />
        <ChatUsage status={data} />
      </div>
    </div>
  );
}

const lookOf = ({ status, interruptedPipelineId }: ChatStatus) =>
  status === 'interrupted' && interruptedPipelineId === null ? DISMISSED : RUN_BADGES[status!];
