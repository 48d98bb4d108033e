import type { ChatMessage } from '../plan/chat.ts';
import { chatKey } from './agents/chat-id.ts';
import {
  answerCheckpoint,
  type CheckpointAnswer,
  type CheckpointRequest,
  dismiss,
  retry,
} from './agents/control-run.ts';
import { followChat } from './agents/follow-chat.ts';
import { messagesOf } from './agents/messages.ts';
import { newestRun } from './agents/newest-run.ts';
import type { AgentsParts } from './agents/parts.ts';
import type { PipelineEvent } from './agents/pipeline-events.ts';
import { type ChatStatus, chatStatus, type RunRecord, readRun } from './agents/run-record.ts';
import { keepAnswer, type SendRequest, type Sent, sendMessage } from './agents/send.ts';
import { type Caller, mustHave } from './caller.ts';

/** Chats whose messages are worked by pipelines of agents (document 3). A pipeline run is a plan: its id is the plan's. */
export interface AgentService {
  /** A message: the interrupted pipeline of its chat goes on, or a fresh one is started. */
  send(caller: Caller, request: SendRequest): Promise<Sent>;
  /** How a chat, and its newest run, stands. */
  status(caller: Caller, chatId: string): Promise<ChatStatus>;
  run(caller: Caller, id: string): Promise<RunRecord>;
  checkpoint(caller: Caller, id: string, request: CheckpointRequest): Promise<CheckpointAnswer>;
  dismiss(caller: Caller, id: string): Promise<void>;
  /** A fresh run of the same message. */
  retry(caller: Caller, id: string, request?: { request_id?: string | undefined }): Promise<Sent>;
  /** Oldest first. */
  messages(caller: Caller, chatId: string): Promise<ChatMessage[]>;
  /** What happens in a chat, until the signal aborts. */
  follow(caller: Caller, chatId: string, signal: AbortSignal): AsyncGenerator<PipelineEvent, void>;
}

export function agentService(parts: AgentsParts): AgentService {
  return {
    send: (caller, request) => sendMessage(parts, caller, request),
    status: (caller, chatId) => chatStatus(parts, caller, chatId),
    run: (caller, id) => readRun(parts, caller, id),
    checkpoint: (caller, id, request) => answerCheckpoint(parts, caller, id, request),
    dismiss: (caller, id) => dismiss(parts, caller, id),
    retry: (caller, id, request) => retry(parts, caller, id, request),
    messages: (caller, chatId) => readMessages(parts, caller, chatId),
    follow: (caller, chatId, signal) => followChat(parts, caller, chatId, signal),
  };
}

async function readMessages(parts: AgentsParts, caller: Caller, chatId: string): Promise<ChatMessage[]> {
  mustHave(caller, 'plan:read');
  const { org_id } = caller.principal;
  const newest = await newestRun(parts.client, org_id, chatKey(chatId));
  if (newest && newest.found.status === 'completed')
    await keepAnswer(parts, caller, chatId, await parts.read(caller, newest.plan_id));
  return await messagesOf(parts.client, org_id, chatId);
}
