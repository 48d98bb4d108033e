import { Send } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { call, requestId } from '../api/client.ts';
import type { ChatStatus } from '../api/types.ts';
import { Button } from '../ui/button.tsx';
import { Refused } from '../usage/refused.tsx';
import { sentence } from './looks.ts';
import { useLacking } from './may.ts';
import { readChatAgain } from './queries.ts';

/** What is to be said next. It stays when it was not taken. */
export function Composer({ status }: { status: ChatStatus }) {
  const { chatId } = status;
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<unknown>();
  // The same message, sent again after an answer that was lost, is the same.
  const sent = useRef<{ content: string; request_id: string }>(undefined);
  const lacking = useLacking();
  const off =
    lacking('plan:create') ??
    (status.pendingCheckpoint ? 'the pipeline waits for a decision; take that first' : undefined) ??
    (status.running ? 'a pipeline of this chat is at work; wait until it has ended' : undefined) ??
    (text.trim() === '' ? 'there is no message' : undefined);
  const send = async () => {
    if (off !== undefined || busy) return;
    setBusy(true);
    setRefused(undefined);
    if (sent.current?.content !== text) sent.current = { content: text, request_id: requestId() };
    try {
      await call('POST', 'messages/send', { body: { chatId, ...sent.current } });
      sent.current = undefined;
      setText('');
    } catch (error) {
      setRefused(error);
    } finally {
      await readChatAgain(chatId).catch(() => {});
      setBusy(false);
    }
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };
  return (
    <form
      className="composer"
      aria-label="Message"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Refused error={refused} />
      <label htmlFor="message" className="visually-hidden">
        Your message
      </label>
      <textarea
        id="message"
        rows={2}
        value={text}
        maxLength={100_000}
        placeholder={status.interruptedPipelineId ? 'A message lets the interrupted pipeline go on' : 'Your message'}
        aria-describedby="message-keys"
        onChange={({ target }) => setText(target.value)}
        onKeyDown={press}
      />
      <div className="composer-foot">
        <span id="message-keys" className="hint">
          {text.trim() !== '' && off !== undefined ? sentence(off) : 'Enter sends, Shift+Enter makes a new line'}
        </span>
        <Button type="submit" look="primary" icon={<Send aria-hidden size={16} />} refusal={off} busy={busy}>
          Send
        </Button>
      </div>
    </form>
  );
}
