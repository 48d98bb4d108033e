import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { followChat } from './follow-chat.ts';
import { NOTHING_HEARD, withEvent } from './heard.ts';
import { messagesQuery, statusQuery } from './queries.ts';

/** A chat as it is now, kept so by its events for as long as the page is there. */
export function useChat(chatId: string) {
  const status = useQuery(statusQuery(chatId));
  const messages = useQuery(messagesQuery(chatId));
  const [heard, setHeard] = useState(NOTHING_HEARD);
  useEffect(() => followChat(chatId, (event) => setHeard((before) => withEvent(before, event))), [chatId]);
  return { status, messages, heard };
}
