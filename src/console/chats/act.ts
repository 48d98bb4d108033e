import { useState } from 'react';
import { call, requestId } from '../api/client.ts';
import type { PipelineSent } from '../api/types.ts';
import { notify } from '../ui/notices.tsx';
import { readChatAgain } from './queries.ts';

export type Deed = 'resume' | 'retry' | 'dismiss';

const runPath = (runId: string, rest: string) => `agents/runs/${encodeURIComponent(runId)}${rest}`;

/** What people do about an interrupted run. Each is over when what it changed has been read. */
export function useRunDeeds(chatId: string, runId: string) {
  const [busy, setBusy] = useState<Deed>();
  const [refused, setRefused] = useState<unknown>();
  const deeds: Record<Deed, () => Promise<void>> = {
    resume: async () => {
      const body = { chatId, message: '', resume: true, request_id: requestId() };
      const { status } = await call<PipelineSent>('POST', 'agents/run', { body });
      // Of a build whose research has not completed nothing is worth keeping.
      if (status === 'started') notify('It starts afresh: nothing had been completed that could be kept.', 'orange');
    },
    retry: async () => void (await call('POST', runPath(runId, '/retry'), { body: {} })),
    dismiss: async () => void (await call('POST', runPath(runId, '/dismiss'), { body: {} })),
  };
  const act = async (deed: Deed) => {
    setBusy(deed);
    setRefused(undefined);
    try {
      await deeds[deed]();
    } catch (error) {
      setRefused(error);
    } finally {
      // Also when it was refused: somebody else may have been first.
      await readChatAgain(chatId).catch(() => {});
      setBusy(undefined);
    }
  };
  const forget = () => setRefused(undefined);
  return { act, busy, refused, forget };
}

export const answerCheckpoint = (runId: string, answer: object): Promise<unknown> =>
  call('POST', runPath(runId, '/checkpoint'), { body: { ...answer, request_id: requestId() } });
