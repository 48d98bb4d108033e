import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useMatches } from '../ui/matches.ts';
import { useFilters } from './filters.tsx';
import type { Row } from './merge.ts';
import { PlanRow } from './plan-row.tsx';
import { useRowKeys } from './row-keys.ts';
import type { ListSearch } from './search.ts';
import type { Selection } from './selection.ts';

/** As in `list.css`: a row, and a card with and without what the plan is at. */
const ROW_PX = 60;
const CARD_PX = 132;
const ENDED_CARD_PX = 88;
const CARDS = '(max-width: 860px)';
const OVERSCAN = 6;
/** What stays at the top while rows are scrolled. */
const STUCK_PX = 100;
/** Plans that are read at a time, of those on the screen. */
const MOST_WATCHED = 30;
/** So near the end more is read. */
const NEAR = 20;

interface PlanRowsProps {
  rows: Row[];
  /** Not all are read. */
  hasMore: boolean;
  onNearEnd: () => void;
  selection: Selection;
  search: ListSearch;
  me: string | undefined;
}

/** The plans as a table, of which only those rows are in the page that are seen, and the one with the focus. */
export function PlanRows({ rows, hasMore, onNearEnd, selection, search, me }: PlanRowsProps) {
  const list = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  const focused = useRef<number>(undefined);
  const areCards = useMatches(CARDS);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => (!areCards ? ROW_PX : rows[index]!.ended_at === null ? CARD_PX : ENDED_CARD_PX),
    overscan: OVERSCAN,
    getItemKey: (index) => rows[index]!.plan_id,
    scrollMargin: top,
    scrollPaddingStart: STUCK_PX,
    // What is read stays where it is when rows come above it; at the top they are to be seen.
    anchorTo: window.scrollY > top ? 'end' : 'start',
    rangeExtractor: (range) => withFocused(range, focused.current),
  });
  useLayoutEffect(() => {
    if (list.current && !virtualizer.isScrolling)
      setTop(Math.round(list.current.getBoundingClientRect().top + window.scrollY));
  });
  // What was measured of rows does not hold for cards.
  useEffect(() => virtualizer.measure(), [areCards]);
  const items = virtualizer.getVirtualItems();
  const lastIndex = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && lastIndex >= rows.length - NEAR) onNearEnd();
  }, [hasMore, lastIndex, rows.length, onNearEnd]);

  const keys = useRowKeys(list, rows, (index) => virtualizer.scrollToIndex(index));
  const { change } = useFilters();
  const labels = useRef(search.label);
  labels.current = search.label;
  const onLabel = useCallback(
    (label: string) => change({ label: [...new Set([...(labels.current ?? []), label])] }),
    [change],
  );
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
  const isWatched = (index: number) =>
    !virtualizer.isScrolling && index >= startIndex && index <= Math.min(endIndex, startIndex + MOST_WATCHED - 1);
  return (
    <table className="plan-table" aria-label="Plans" aria-rowcount={hasMore ? -1 : rows.length + 1}>
      <thead className="plan-columns">
        <tr aria-rowindex={1} className="plan-columns-row">
          {COLUMNS.map(({ words, hidden }) => (
            <th key={words} scope="col">
              <span className={hidden ? 'visually-hidden' : undefined}>{words}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody
        ref={list}
        className="plan-rows"
        style={{ height: virtualizer.getTotalSize() }}
        onFocus={({ target }) => {
          focused.current = indexOf(target);
        }}
        onBlur={() => {
          focused.current = undefined;
        }}
        onKeyDown={keys}
      >
        {items.map(({ index, start }) => {
          const row = rows[index]!;
          return (
            <PlanRow
              key={row.plan_id}
              row={row}
              index={index}
              start={start - virtualizer.options.scrollMargin}
              watched={isWatched(index)}
              selected={selection.has(row.plan_id)}
              isMine={row.owner === me}
              onSelect={selection.set}
              onLabel={onLabel}
              measure={virtualizer.measureElement}
            />
          );
        })}
      </tbody>
    </table>
  );
}

const COLUMNS = [
  { words: 'Select', hidden: true },
  { words: 'Plan' },
  { words: 'State' },
  { words: 'Now' },
  { words: 'Owner' },
  { words: 'Made' },
];

const indexOf = (target: Element): number | undefined => {
  const index = target.closest<HTMLElement>('[data-index]')?.dataset.index;
  return index === undefined ? undefined : Number(index);
};

function withFocused(range: Range, focused: number | undefined): number[] {
  const indexes = defaultRangeExtractor(range);
  if (focused === undefined || focused >= range.count || indexes.includes(focused)) return indexes;
  return focused < indexes[0]! ? [focused, ...indexes] : [...indexes, focused];
}
