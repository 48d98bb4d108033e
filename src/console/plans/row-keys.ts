import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react';
import type { Row } from './merge.ts';

/** Where a key leads from a row, among so many. */
const STEPS: Record<string, (index: number, count: number) => number> = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Arrow keys go from row to row, and stay at what of the row has the focus: its link, or its checkbox. */
export function useRowKeys(list: RefObject<HTMLElement | null>, rows: Row[], show: (index: number) => void) {
  /** What is to have the focus once its row is drawn. */
  const wanted = useRef<{ planId: string; what: string }>(undefined);
  // Whoever has the focus keeps it when the rows are put into another order, for which the browser takes it away.
  const had = document.activeElement;
  useLayoutEffect(() => {
    if (had instanceof HTMLElement && had !== document.activeElement && list.current?.contains(had))
      had.focus({ preventScroll: true });
    if (!wanted.current) return;
    const { planId, what } = wanted.current;
    const control = list.current?.querySelector<HTMLElement>(`[data-plan="${CSS.escape(planId)}"] ${what}`);
    if (!control) return;
    wanted.current = undefined;
    control.focus({ preventScroll: true });
  });
  return (event: KeyboardEvent) => {
    const { target, key, ctrlKey, altKey, metaKey, shiftKey } = event;
    const step = STEPS[key];
    const row = (target as Element).closest<HTMLElement>('[data-plan]');
    if (!step || !row || ctrlKey || altKey || metaKey || shiftKey) return;
    event.preventDefault();
    const from = rows.findIndex(({ plan_id }) => plan_id === row.dataset.plan);
    const to = Math.max(0, Math.min(rows.length - 1, step(from, rows.length)));
    const what = target instanceof HTMLInputElement ? 'input' : 'a';
    wanted.current = { planId: rows[to]!.plan_id, what };
    const control = list.current?.querySelector<HTMLElement>(`[data-plan="${CSS.escape(rows[to]!.plan_id)}"] ${what}`);
    show(to);
    if (!control) return;
    wanted.current = undefined;
    control.focus({ preventScroll: true });
  };
}
