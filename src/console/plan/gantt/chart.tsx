import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef } from 'react';
import { TASK_BADGES } from '../../ui/badges.ts';
import { duration } from '../../ui/times.tsx';
import { Bars } from './bars.tsx';
import { type Range, shareOf, stepFor, ticksOf, tickWords } from './scale.ts';
import type { pausesOf, Row } from './spans.ts';

interface ChartProps {
  rows: Row[];
  pauses: ReturnType<typeof pausesOf>;
  range: Range;
  /** Width of the time axis. */
  px: number;
  /** Width of the names beside it; 0: they stand above their bars. */
  names: number;
  isNarrow: boolean;
  now: number | undefined;
  deadline: number | undefined;
  selected: string | undefined;
  select: (task: string) => void;
}

const ROW_PX = 32;
const NARROW_ROW_PX = 50;
const AXIS_PX = 28;
const TICK_ROOM_PX = 92;
/** Beside the last bars, for how long they took. */
export const WORDS_PX = 84;

export function Chart({ rows, pauses, range, px, names, isNarrow, now, deadline, selected, select }: ChartProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const height = isNarrow ? NARROW_ROW_PX : ROW_PX;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => height,
    overscan: 12,
    useFlushSync: false,
  });
  useKeptMiddle(scroll, px);
  // Rows of another height are measured anew.
  useLayoutEffect(() => virtual.measure(), [height]);
  const step = stepFor(range, px, TICK_ROOM_PX);
  const ticks = ticksOf(range, step);
  const x = (at: number) => shareOf(range, at) * px;
  const total = virtual.getTotalSize();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be scrolled by the keyboard, too
    <section ref={scroll} className="gantt" tabIndex={0} aria-label="When each task was at work">
      <div className="gantt-inner" style={{ width: names + px + WORDS_PX, height: AXIS_PX + total }}>
        <div className="gantt-axis" style={{ height: AXIS_PX, paddingInlineStart: names }} aria-hidden="true">
          {names > 0 && (
            <span className="gantt-corner" style={{ width: names }}>
              {new Date(range.from).toLocaleDateString()}
            </span>
          )}
          {ticks.map((at) => (
            <span key={at} className="gantt-tick" style={{ left: names + x(at) }}>
              {tickWords(at, step)}
            </span>
          ))}
        </div>
        <div className="gantt-plot" style={{ left: names, top: AXIS_PX, width: px, height: total }} aria-hidden="true">
          {ticks.map((at) => (
            <span key={at} className="gantt-line" style={{ left: x(at) }} />
          ))}
          {pauses.map(({ from, to, by }) => (
            <span
              key={from}
              className="gantt-pause"
              title={`Paused${by ? ` by ${by}` : ''}`}
              style={{ left: x(from), width: Math.max(1, x(Math.min(to ?? now ?? range.to, range.to)) - x(from)) }}
            />
          ))}
          {now !== undefined && <span className="gantt-now" style={{ left: x(now) }} title="Now" />}
          {deadline !== undefined && deadline <= range.to && (
            <span className="gantt-deadline" style={{ left: Math.min(x(deadline), px - 2) }}>
              <span>deadline</span>
            </span>
          )}
        </div>
        <ol className="gantt-rows">
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            if (!row) return null;
            const { task, spans } = row;
            const { icon: Icon, tone } = TASK_BADGES[task.status];
            return (
              <li
                key={task.id}
                className="gantt-row"
                aria-setsize={rows.length}
                aria-posinset={index + 1}
                data-selected={task.id === selected || undefined}
                data-narrow={isNarrow || undefined}
                style={{ top: AXIS_PX + start, height }}
              >
                <button
                  type="button"
                  className="gantt-name"
                  data-tone={tone}
                  style={names > 0 ? { width: names } : undefined}
                  aria-pressed={task.id === selected}
                  title={task.id}
                  onClick={() => select(task.id)}
                >
                  <Icon aria-hidden size={14} />
                  <span className="cut">{task.id}</span>
                </button>
                <Bars row={row} range={range} now={now} x={x} names={names} />
                {spans.length === 0 && task.reused && (
                  <span className="gantt-reused" style={{ left: names + 6 }}>
                    reused{lengthWords(row.task)}
                  </span>
                )}
              </li>
            );
          })}
        </ol>
      </div>
    </section>
  );
}

function lengthWords({ started_at, ended_at }: Row['task']): string {
  return started_at && ended_at
    ? `, took ${duration(Date.parse(ended_at) - Date.parse(started_at))} in an earlier run`
    : '';
}

/** What was in the middle stays there when the axis grows or shrinks. */
function useKeptMiddle(scroll: React.RefObject<HTMLElement | null>, px: number) {
  const before = useRef(px);
  useLayoutEffect(() => {
    const element = scroll.current;
    if (!element || before.current === px) return;
    const half = element.clientWidth / 2;
    element.scrollLeft = ((element.scrollLeft + half) * px) / before.current - half;
    before.current = px;
  }, [scroll, px]);
}
