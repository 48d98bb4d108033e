import { Hourglass, TriangleAlert } from 'lucide-react';
import type { Question } from '../../api/types.ts';
import { useNow } from '../../ui/clock.ts';
import { plainText } from '../../ui/plain-text.ts';
import { Ago } from '../../ui/times.tsx';

const NEAR_MS = 5 * 60_000;
/** Of the whole time: a question that is open for a minute only is not near its end at once. */
const NEAR_PART = 0.25;

/** When a question expires: the time that is left, with a warning when it is short. */
export function Expiry({ question: { opened_at, expires_at, kind, options, overdue } }: { question: Question }) {
  const now = useNow();
  if (overdue)
    return (
      <span className="badge" data-tone="orange">
        <TriangleAlert aria-hidden size={14} /> Overdue; it still waits for an answer
      </span>
    );
  if (expires_at === null) return null;
  const end = Date.parse(expires_at);
  const left = end - now;
  const isNear = left < Math.min(NEAR_MS, (end - Date.parse(opened_at)) * NEAR_PART);
  const Icon = isNear ? TriangleAlert : Hourglass;
  return (
    <span className="badge" data-tone={isNear ? 'orange' : 'gray'}>
      <Icon aria-hidden size={14} />
      <span>
        expires {left > 0 ? <Ago at={expires_at} /> : 'now'}
        {kind === 'checkpoint' && options[0] !== undefined && `; then “${plainText(options[0])}” is taken`}
      </span>
    </span>
  );
}
