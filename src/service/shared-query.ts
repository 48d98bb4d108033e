/**
 * Lets concurrent readers of one key share one read. A reader never gets an answer from a read that began before it
 * asked: whoever comes while one is under way waits for the next, and all who wait share that one.
 */
export function sharedReads<T>(): (key: string, read: () => Promise<T>) => Promise<T> {
  const under = new Map<string, { now: Promise<unknown>; next?: Promise<T> }>();
  return async (key, read) => {
    const entry = under.get(key);
    if (entry) {
      entry.next ??= entry.now.then(() => begin(key, read));
      return await entry.next;
    }
    return await begin(key, read);
  };

  function begin(key: string, read: () => Promise<T>): Promise<T> {
    const result = read();
    const entry: { now: Promise<unknown>; next?: Promise<T> } = {
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
