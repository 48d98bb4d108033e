import { condition, continueAsNew, defineQuery, defineSignal, setHandler, workflowInfo } from '@temporalio/workflow';
import { CHAT_SAID, QUERIES } from '../contract/names.ts';
import { pack, unpack } from '../contract/packed.ts';
import { payload } from '../contract/payload-size.ts';
import type { ChatInput } from '../contract/payloads.ts';
import { type ChatMessage, type ChatState, say } from '../plan/chat.ts';
import { HANDOVER_EVENTS } from './history-room.ts';

/** The messages of one chat. It waits for the next for as long as nobody ends it. */
export async function chat(input: ChatInput): Promise<void> {
  const state: ChatState = input.carried ? unpack(input.carried) : { messages: [] };
  setHandler(defineSignal<[ChatMessage?]>(CHAT_SAID), (message) => {
    if (isMessage(message)) say(state, message);
  });
  setHandler(defineQuery<ChatMessage[]>(QUERIES.messages), () => state.messages);
  await condition(() => workflowInfo().historyLength >= HANDOVER_EVENTS);
  await continueAsNew<typeof chat>(payload('the messages of the chat', { ...input, carried: pack(state) }));
}

/** An operator may send signals by hand, with anything in them. */
const isMessage = (given: Partial<ChatMessage> | undefined): given is ChatMessage =>
  typeof given?.id === 'string' &&
  typeof given.content === 'string' &&
  typeof given.at === 'number' &&
  (given.role === 'user' || given.role === 'assistant');
