import { type FocusEvent, useLayoutEffect, useRef } from 'react';

/** Keeps the keyboard where it is when the button that was pressed makes way for another: the first of the same group gets it. */
export function useKeptFocus<T extends HTMLElement>() {
  const ref = useRef<T>(null);
  const isInside = useRef(false);
  useLayoutEffect(() => {
    if (!isInside.current || document.activeElement !== document.body) return;
    const next = ref.current?.querySelector<HTMLElement>('button') ?? document.getElementById('main');
    next?.focus({ preventScroll: true });
  });
  return {
    ref,
    onFocus: () => {
      isInside.current = true;
    },
    // What is taken away loses the focus, too, but did not give it to anybody.
    onBlur: ({ target, relatedTarget }: FocusEvent) => {
      if (target.isConnected || relatedTarget) isInside.current = false;
    },
  };
}
