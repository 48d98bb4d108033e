interface Waiting<In, Out> {
  one: In;
  done(out: Out): void;
  failed(error: unknown): void;
}

/**
 * What comes for a key while a call for it is under way goes out together with the next, in the order in which it came: two hundred
 * at once are some few calls.
 */
export function together<In, Out>(most: number, call: (key: string, all: In[]) => Promise<Out[]>) {
  const queues = new Map<string, Waiting<In, Out>[]>();

  async function empty(key: string, queue: Waiting<In, Out>[]): Promise<void> {
    // Those of the same moment are all there then.
    await Promise.resolve();
    while (queue.length > 0) {
      const batch = queue.splice(0, most);
      await call(
        key,
        batch.map(({ one }) => one),
      ).then(
        (outs) => {
          for (const [i, { done }] of batch.entries()) done(outs[i]!);
        },
        (error: unknown) => {
          for (const { failed } of batch) failed(error);
        },
      );
    }
    queues.delete(key);
  }

  return (key: string, one: In): Promise<Out> =>
    new Promise((done, failed) => {
      const waiting = { one, done, failed };
      const queue = queues.get(key);
      if (queue) return void queue.push(waiting);
      const begun = [waiting];
      queues.set(key, begun);
      void empty(key, begun);
    });
}
