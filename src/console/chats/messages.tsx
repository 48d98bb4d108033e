import { Bot, UserRound } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { plainText } from '../ui/plain-text.ts';
import { Clock } from '../ui/times.tsx';
import type { ChatMessage } from './queries.ts';

/** So near to its end, somebody reads the newest. */
const NEAR_PX = 80;
const GAP_PX = 14;

/** What was said, the newest last and in sight, unless somebody looks at what is above. */
export function Messages({ messages, error }: { messages: ChatMessage[] | undefined; error: Error | null }) {
  const log = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const count = messages?.length ?? 0;
  useLayoutEffect(() => {
    const { current } = log;
    const last = current?.lastElementChild;
    // Of a long one its beginning.
    if (last instanceof HTMLElement && isAtEnd.current) current!.scrollTop = last.offsetTop - GAP_PX;
  }, [count]);
  const look = () => {
    const { scrollHeight, scrollTop, clientHeight, lastElementChild } = log.current!;
    const newest = lastElementChild instanceof HTMLElement ? lastElementChild.offsetTop : 0;
    isAtEnd.current = scrollTop > Math.min(newest, scrollHeight - clientHeight) - NEAR_PX;
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard.
    <div ref={log} className="messages" role="log" aria-label="Messages" tabIndex={0} onScroll={look}>
      {error && !messages && (
        <p role="alert" className="field-error">
          {error.message}
        </p>
      )}
      {messages?.length === 0 && <p className="muted messages-none">Nothing has been said yet.</p>}
      {messages?.map(({ role, content, at }, i) => (
        <article key={`${at} ${i}`} className="message" data-role={role}>
          <header>
            {role === 'user' ? <UserRound aria-hidden size={14} /> : <Bot aria-hidden size={14} />}
            <strong>{role === 'user' ? 'User' : 'Assistant'}</strong>
            <Clock at={new Date(at).toISOString()} />
          </header>
          <p>{plainText(content)}</p>
        </article>
      ))}
    </div>
  );
}
