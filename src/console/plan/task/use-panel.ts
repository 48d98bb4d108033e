import { type RefObject, useEffect, useRef } from 'react';
import { useSelectedTask } from '../select-task.ts';

const NARROW = '(max-width: 900px)';

/** A panel that Escape closes, after which whoever opened it is where they were. On a narrow screen, which it covers, it has the focus. */
export function usePanel(task: string): { panel: RefObject<HTMLElement | null>; close: () => void } {
  const [, select] = useSelectedTask();
  const panel = useRef<HTMLElement>(null);
  const opener = useRef<Element>(null);
  useEffect(() => {
    if (!panel.current?.contains(document.activeElement)) opener.current = document.activeElement;
    if (matchMedia(NARROW).matches) panel.current?.focus();
  }, [task]);
  const close = () => {
    const hadFocus = panel.current?.contains(document.activeElement) === true;
    select(undefined);
    if (!hadFocus) return;
    const back = opener.current?.isConnected
      ? opener.current
      : document.querySelector('[role="tab"][data-state="active"]');
    (back as HTMLElement | null)?.focus();
  };
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // Dialogs, menus, and fields that are written in have their own use for it.
      const isTaken = event.defaultPrevented || document.querySelector('[role="dialog"], [role="menu"]') !== null;
      if ((event.target as Element).closest('input, textarea, select, [contenteditable]')) return;
      if (event.key === 'Escape' && !isTaken) latest.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return { panel, close };
}
