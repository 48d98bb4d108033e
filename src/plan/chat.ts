/** One message of a chat. `at` in ms since the epoch. */
export interface ChatMessage {
  /** Of the request that said it: said again, it is the same message. */
  id: string;
  role: 'user' | 'assistant';
  content: string;
  at: number;
}

/** The messages of a chat, oldest first. Plain JSON. */
export interface ChatState {
  messages: ChatMessage[];
}

/** Older messages are forgotten: a chat is carried over from history to history as a whole. */
export const MOST_MESSAGES = 1_000;
export const MOST_CHARACTERS = 400_000;

/** Keeps a message, once, in its place by time. */
export function say(state: ChatState, message: ChatMessage): void {
  const { messages } = state;
  if (messages.some(({ id }) => id === message.id)) return;
  const before = messages.findLastIndex(({ at }) => at <= message.at);
  messages.splice(before + 1, 0, message);
  let characters = messages.reduce((sum, { content }) => sum + content.length, 0);
  while (messages.length > 1 && (messages.length > MOST_MESSAGES || characters > MOST_CHARACTERS))
    characters -= messages.shift()!.content.length;
}
