import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';
import type { Shown } from '../graph/shown.ts';

/** Of more rows than these only those in view are made. */
const ALL_UP_TO = 200;
const ROW_PX = 44;

interface Rows {
  visible: { row: Shown; n: number }[];
  /** What room the others take, in px. */
  above: number;
  below: number;
}

export function useRows(rows: Shown[], scroll: RefObject<HTMLElement | null>): Rows {
  const isLarge = rows.length > ALL_UP_TO;
  const virtual = useVirtualizer({
    count: rows.length,
    enabled: isLarge,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    useFlushSync: false,
  });
  if (!isLarge) return { visible: rows.map((row, n) => ({ row, n })), above: 0, below: 0 };
  const items = virtual.getVirtualItems();
  return {
    visible: items.flatMap(({ index: n }) => (rows[n] ? [{ row: rows[n], n }] : [])),
    above: items[0]?.start ?? 0,
    below: Math.max(0, virtual.getTotalSize() - (items.at(-1)?.end ?? 0)),
  };
}
