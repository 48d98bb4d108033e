import { TASK_BADGES } from '../../ui/badges.ts';
import { plainText } from '../../ui/plain-text.ts';
import { duration } from '../../ui/times.tsx';
import { LOOK_WORDS } from './looks.ts';
import type { Range } from './scale.ts';
import type { Row, Span } from './spans.ts';

const LEAST_PX = 4;

interface BarsProps {
  row: Row;
  range: Range;
  now: number | undefined;
  x: (at: number) => number;
  names: number;
}

/** A row's stretches: seen as bars, heard as words. */
export function Bars({ row: { task, spans }, range, now, x, names }: BarsProps) {
  const endOf = ({ from, to }: Span) => Math.max(from, to ?? now ?? range.to);
  const last = spans.at(-1);
  return (
    <>
      {spans.map((span) => {
        const { from, look } = span;
        const words = wordsOf(span, endOf(span));
        return (
          <span
            key={`${from} ${look}`}
            className="span"
            aria-hidden="true"
            data-look={look}
            data-open={span.to === undefined || undefined}
            data-tone={LOOK_WORDS[look].tone}
            title={words}
            style={{ left: names + x(from), width: Math.max(LEAST_PX, x(endOf(span)) - x(from)) }}
          />
        );
      })}
      {last && (
        <span className="span-words" aria-hidden="true" style={{ left: names + x(endOf(last)) }}>
          {duration(endOf(last) - spans[0]!.from)}
        </span>
      )}
      <span className="visually-hidden">
        {TASK_BADGES[task.status].words}
        {task.reused && ', reused'}
        {spans.map((span) => `; ${wordsOf(span, endOf(span))}`)}
      </span>
    </>
  );
}

function wordsOf({ from, to, look, attempt, message }: Span, end: number): string {
  const time = (at: number) => new Date(at).toLocaleTimeString(undefined, { hour12: false });
  const which = attempt === undefined ? '' : `attempt ${attempt}, `;
  const when = `${time(from)} to ${to === undefined ? 'now' : time(to)}`;
  return `${which}${LOOK_WORDS[look].words}, ${when}, ${duration(end - from)}${message ? `: ${plainText(message)}` : ''}`;
}
