import { useSyncExternalStore } from 'react';

/** Since when each of the streams that are wanted is without connection; those that are connected are not there. */
const lost = new Map<string, number>();
const listeners = new Set<() => void>();
let oldest: number | undefined;

/** Tells whether a stream that a page wants is connected; `gone` when the page wants it no more. */
export function tellConnection(stream: string, is: 'connected' | 'lost' | 'gone'): void {
  if (is !== 'lost') lost.delete(stream);
  else if (!lost.has(stream)) lost.set(stream, Date.now());
  const now = lost.size === 0 ? undefined : Math.min(...lost.values());
  if (now === oldest) return;
  oldest = now;
  for (const listener of listeners) listener();
}

/** Since when something that is shown may be old, in ms since the epoch; undefined while all is connected. */
export const useLostSince = (): number | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => oldest,
  );
