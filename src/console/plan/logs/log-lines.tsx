import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useMemo, useRef } from 'react';
import type { Found } from './find.ts';
import { LineText } from './line-text.tsx';
import type { LogBuffer, LogLine } from './log-buffer.ts';

interface LogLinesProps {
  buffer: LogBuffer;
  version: number;
  label: string;
  wrap: boolean;
  follow: boolean;
  /** Whoever scrolls up wants to read, and at the end to follow again. */
  onFollow: (follow: boolean) => void;
  found: readonly Found[];
  /** Which of them is looked at. */
  current: number;
}

const LINE_PX = 20;
/** So near to the end counts as the end. */
const NEAR_PX = 30;

/** The lines of a log, of which those are drawn that are seen. */
export function LogLines({ buffer, version, label, wrap, follow, onFollow, found, current }: LogLinesProps) {
  const { lines, first } = buffer;
  const scroller = useRef<HTMLElement>(null);
  const seen = useRef({ top: 0, height: 0 });
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_PX,
    getItemKey: (i) => first + i,
    overscan: 20,
  });
  const byLine = useMemo(() => foundByLine(found), [found]);

  useLayoutEffect(() => {
    if (follow && lines.length > 0) rows.scrollToIndex(lines.length - 1, { align: 'end' });
  }, [version, follow, wrap, lines.length]);
  useLayoutEffect(() => {
    const place = found[current];
    if (place) rows.scrollToIndex(place.line, { align: 'center' });
  }, [current, found.length === 0]);
  useLayoutEffect(() => rows.measure(), [wrap]);

  const look = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement) => {
    const isAtEnd = scrollHeight - scrollTop - clientHeight < NEAR_PX;
    // What is measured anew moves the place as well; then the height has changed.
    const isUp = scrollTop < seen.current.top && scrollHeight >= seen.current.height;
    seen.current = { top: scrollTop, height: scrollHeight };
    if (follow && isUp && !isAtEnd) onFollow(false);
    if (!follow && isAtEnd && !isUp && scrollHeight > clientHeight) onFollow(true);
  };
  return (
    <section
      ref={scroller}
      className="log"
      data-wrap={wrap || undefined}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard.
      tabIndex={0}
      onScroll={({ currentTarget }) => look(currentTarget)}
    >
      <div className="log-lines" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index, start }) => (
          <div
            key={key}
            ref={wrap ? rows.measureElement : undefined}
            data-index={index}
            className="log-line"
            data-is={lines[index]!.is}
            style={{ transform: `translateY(${start}px)` }}
          >
            <Line line={lines[index]!} marks={byLine.get(index)} current={current} />
          </div>
        ))}
      </div>
    </section>
  );
}

type Marks = (Found & { i: number })[] | undefined;

function foundByLine(found: readonly Found[]): Map<number, NonNullable<Marks>> {
  const byLine = new Map<number, NonNullable<Marks>>();
  for (const [i, one] of found.entries()) {
    const marks = byLine.get(one.line);
    if (marks) marks.push({ ...one, i });
    else byLine.set(one.line, [{ ...one, i }]);
  }
  return byLine;
}

function Line({ line, marks = [], current }: { line: LogLine; marks: Marks; current: number }) {
  return (
    <>
      <span className="log-number" aria-hidden>
        {line.number}
      </span>
      <span className="log-text">
        <LineText line={line} marks={marks.map(({ from, to, i }) => ({ from, to, isCurrent: i === current }))} />
      </span>
    </>
  );
}
