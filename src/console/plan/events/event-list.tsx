import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { EventRow } from './event-row.tsx';
import type { Entry } from './event-words.ts';

/** More rows than a page draws at once without being felt. */
const MANY = 150;
const ROW_PX = 37;

/** Events in the order given; of many only those that are seen are drawn. */
export function EventList({ entries, label }: { entries: readonly Entry[]; label: string }) {
  if (entries.length > MANY) return <LongList entries={entries} label={label} />;
  return (
    <ol className="event-list" aria-label={label}>
      {entries.map((entry) => (
        <li key={keyOf(entry)}>
          <EventRow entry={entry} />
        </li>
      ))}
    </ol>
  );
}

function LongList({ entries, label }: { entries: readonly Entry[]; label: string }) {
  const scroller = useRef<HTMLElement>(null);
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    // What comes is put at the top: by these the rows that are read stay where they are.
    getItemKey: (i) => keyOf(entries[i]!),
    overscan: 12,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard.
    <section ref={scroller} className="event-scroller" aria-label={label} tabIndex={0}>
      <ol className="event-list" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index, start }) => (
          <li
            key={key}
            ref={rows.measureElement}
            data-index={index}
            aria-posinset={index + 1}
            aria-setsize={entries.length}
            style={{ position: 'absolute', insetInline: 0, transform: `translateY(${start}px)` }}
          >
            <EventRow entry={entries[index]!} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A reset has no number of its own. */
const keyOf = (entry: Entry): string => ('seq' in entry ? `${entry.seq}` : `reset ${entry.at}`);
