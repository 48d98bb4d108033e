import { setTimeout as delay } from 'node:timers/promises';
import type { ChatStatus } from '../../../src/service/agents/run-record.ts';
import { FULL } from '../campaign.ts';
import type { MortalEngine } from './engine.ts';

/** Many chats that are looked at all the time are what takes most of the machine. */
const LOOK_MS = FULL ? 5_000 : 500;

/** A chat application's side of one chat: it sends, and sends again under the same id when it was not answered. */
export function chatOf(engine: MortalEngine, chatId: string, projectId: string) {
  const runs = new Set<string>();
  let sent = 0;

  async function send(path: string, body: object): Promise<string> {
    sent += 1;
    const request_id = `${chatId}-${sent}`;
    const answer = await engine.post(path, { chatId, projectId, request_id, ...body });
    if (answer.status !== 202) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    runs.add(answer.json.pipelineRunId);
    return answer.json.status;
  }

  return {
    chatId,
    /** Its pipeline runs, also those that were dismissed. */
    runs,
    say: (content: string) => send('/messages/send', { content }),
    resume: () => send('/agents/run', { message: '', resume: true }),
    /** Until nothing of it is at work any more. */
    async rests(): Promise<ChatStatus> {
      for (;;) {
        const { json } = await engine.get(`/agents/status?chatId=${chatId}`);
        if (json.live && !json.running) return json;
        await delay(LOOK_MS);
      }
    },
    /** It has come to its end; what it is at otherwise is told with all that is known of it. */
    async ends(): Promise<void> {
      const { status } = await this.rests();
      if (status === 'completed') return;
      const told = await Promise.all(
        Array.from(runs, async (id) => {
          const { json, text } = await engine.get(`/api/plans/${id}`);
          const { events = [] } = (await engine.get(`/api/plans/${id}/timeline?limit=500`)).json;
          const lost = events.filter(({ type }: { type: string }) => type === 'TaskLost');
          return `${id}: ${json.state ? JSON.stringify([json.state, json.error, lost]) : text}`;
        }),
      );
      throw new Error(`${chatId} is ${status}:\n${told.join('\n')}`);
    },
  };
}
export type Chat = ReturnType<typeof chatOf>;
