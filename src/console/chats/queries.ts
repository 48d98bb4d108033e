import { queryOptions, replaceEqualDeep } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import type { ChatStatus, PipelineRun } from '../api/types.ts';

export interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
  at: number;
}

/** What events have missed is seen by this. */
const LOOK_AGAIN_MS = 10_000;

export const statusQuery = (chatId: string) =>
  queryOptions({
    queryKey: ['chat', chatId, 'status'],
    queryFn: ({ signal }) => call<ChatStatus>('GET', 'agents/status', { query: { chatId }, signal }),
    refetchInterval: LOOK_AGAIN_MS,
    structuralSharing: (old, read) => seenLast(old as ChatStatus | undefined, read as ChatStatus),
  });

/** While no worker answers, what was seen last of the run is shown on. */
const seenLast = (old: ChatStatus | undefined, read: ChatStatus): ChatStatus =>
  replaceEqualDeep(old, read.live || old?.pipelineRunId !== read.pipelineRunId ? read : old);

export const messagesQuery = (chatId: string) =>
  queryOptions({
    queryKey: ['chat', chatId, 'messages'],
    queryFn: async ({ signal }) =>
      (await call<{ messages: ChatMessage[] }>('GET', 'messages', { query: { chatId }, signal })).messages,
  });

/** What is charged, and what was asked, of one run. */
export const runQuery = (runId: string) =>
  queryOptions({
    queryKey: ['pipeline-run', runId],
    queryFn: ({ signal }) => call<PipelineRun>('GET', `agents/runs/${encodeURIComponent(runId)}`, { signal }),
  });

/** After something was done to a chat: all that is shown of it is read again. */
export const readChatAgain = (chatId: string): Promise<unknown> =>
  Promise.all([
    queryClient.refetchQueries({ queryKey: ['chat', chatId] }, { cancelRefetch: true }),
    queryClient.invalidateQueries({ queryKey: ['limits'] }),
  ]);
