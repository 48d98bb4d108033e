import { addressOf } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { tellConnection } from '../live/connection.ts';
import { refresher } from '../live/refresher.ts';
import { whileVisible } from '../live/visible.ts';
import { readLimitsAgain } from '../usage/queries.ts';
import type { ChatEvent } from './heard.ts';

/** Each is named by its type; document 3 has the names. */
const TYPES = [
  ...['pipeline_plan', 'agent_status', 'agent_error', 'pipeline_interrupted', 'pipeline_completed', 'limit_warning'],
  ...['pipeline_checkpoint', 'pipeline_checkpoint_resolved'],
];
const PACE_MS = 150;
const AGAIN_MS = 2_000;

/** Keeps a chat as it is now, by its events; gives what ends that. */
export function followChat(chatId: string, hear: (event: ChatEvent) => void): () => void {
  const refresh = refresher(
    () => readAgain(chatId),
    () => PACE_MS,
  );
  const unfollow = whileVisible(() => listen(chatId, hear, refresh.soon));
  return () => {
    unfollow();
    refresh.end();
  };
}

function listen(chatId: string, hear: (event: ChatEvent) => void, refresh: () => void): () => void {
  const name = `chat ${chatId}`;
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    source = new EventSource(addressOf('agents/events', { chatId }));
    source.onopen = () => {
      tellConnection(name, 'connected');
      // Whoever connects is told how it stands, but for the messages.
      refresh();
    };
    source.onerror = () => {
      if (source?.readyState !== EventSource.CLOSED) return tellConnection(name, 'lost');
      // The server refused: what is read says why.
      refresh();
      timer = setTimeout(open, AGAIN_MS);
    };
    for (const type of TYPES) source.addEventListener(type, take);
  };
  const take = ({ data }: MessageEvent<string>) => {
    hear(JSON.parse(data) as ChatEvent);
    refresh();
  };
  open();
  return () => {
    clearTimeout(timer);
    source?.close();
    tellConnection(name, 'gone');
  };
}

async function readAgain(chatId: string): Promise<void> {
  await queryClient.refetchQueries({ queryKey: ['chat', chatId] }, { cancelRefetch: true });
  void readLimitsAgain();
}
