import type { Client } from '@temporalio/client';
import { CHAT_SAID, CHAT_WORKFLOW, chatWorkflowId, ENGINE_QUEUE, QUERIES } from '../../contract/names.ts';
import type { ChatInput } from '../../contract/payloads.ts';
import { Fault } from '../../faults.ts';
import type { ChatMessage } from '../../plan/chat.ts';
import { ask, NO_ANSWER, NOT_FOUND, type Patience } from '../queries.ts';

/** Keeps a message of a chat; the first starts the chat's workflow. Said again under the same id, it is kept once. */
export async function keepMessage(client: Client, orgId: string, chatId: string, message: ChatMessage): Promise<void> {
  await client.workflow.signalWithStart<(input: ChatInput) => Promise<void>, [ChatMessage]>(CHAT_WORKFLOW, {
    workflowId: chatWorkflowId(orgId, chatId),
    taskQueue: ENGINE_QUEUE,
    args: [{ schema_version: 1, org_id: orgId, chat_id: chatId }],
    signal: CHAT_SAID,
    signalArgs: [message],
    workflowTaskTimeout: '5s',
    staticSummary: `chat ${chatId}`,
  });
}

/** A chat that nobody has read for a while is replayed first, which takes a second where much was said in it. */
const PATIENCE: Patience = { deadlineMs: 3_000, totalMs: 6_000 };

/** Oldest first; none of a chat that nobody knows. */
export async function messagesOf(client: Client, orgId: string, chatId: string): Promise<ChatMessage[]> {
  const id = chatWorkflowId(orgId, chatId);
  const messages = await ask<ChatMessage[]>(client, { id }, QUERIES.messages, undefined, PATIENCE);
  if (messages === NOT_FOUND) return [];
  if (messages === NO_ANSWER) throw new Fault('ENGINE_UNAVAILABLE', 'no worker answered for the messages of the chat');
  return messages;
}

/** What agents are told of what was said before: the newest of it. */
const TOLD_MESSAGES = 20;
const TOLD_OF_ONE = 2_000;

export const historyText = (messages: readonly ChatMessage[]): string =>
  messages
    .slice(-TOLD_MESSAGES)
    .map(
      ({ role, content }) => `${role}: ${content.length > TOLD_OF_ONE ? `${content.slice(0, TOLD_OF_ONE)}…` : content}`,
    )
    .join('\n');
