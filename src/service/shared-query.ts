import { setTimeout as delay } from 'node:timers/promises';

interface Entry<T> {
  began: number;
  now: Promise<unknown>;
  next?: Promise<T>;
}

/**
 * Lets concurrent readers of one key share one read. A reader never gets an answer from a read that began before it
 * asked: whoever comes while one is under way waits for the next, and all who wait share that one. With `paceMs`, the next
 * begins no sooner than that after the one before it: many readers then cost little more than one.
 */
export function sharedReads<T>(paceMs = 0): (key: string, read: () => Promise<T>) => Promise<T> {
  const under = new Map<string, Entry<T>>();
  return async (key, read) => {
    const entry = under.get(key);
    if (entry) {
      entry.next ??= entry.now.then(() => delay(entry.began + paceMs - Date.now())).then(() => begin(key, read));
      return await entry.next;
    }
    return await begin(key, read);
  };

  function begin(key: string, read: () => Promise<T>): Promise<T> {
    const result = read();
    const entry: Entry<T> = {
      began: Date.now(),
      now: result
        .catch(() => {})
        .then(() => {
          if (!entry.next && under.get(key) === entry) under.delete(key);
        }),
    };
    under.set(key, entry);
    return result;
  }
}
