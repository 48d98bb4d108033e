import { Fault } from '../../faults.ts';

/** Stands in keys and addresses. */
export const LONGEST_CHAT_ID = 150;

/** Pipelines of one chat are plans of one enrollment: so there is one at a time, whoever asks at once. */
export function chatKey(chatId: string): string {
  const fits = chatId.length > 0 && chatId.length <= LONGEST_CHAT_ID && !/[\p{Cc}\p{Cs}]/u.test(chatId);
  if (!fits)
    throw new Fault(
      'REQUEST_INVALID',
      `chatId: give 1 to ${LONGEST_CHAT_ID} characters, none of them a control character`,
    );
  return `chat:${chatId}`;
}
