interface Shared<T> {
  opened: Promise<T>;
  since: number;
  users: number;
}

/** Opens something for a piece of work; those who come within `ms` share it, and the last of them closes it. */
export function sharedFor<T extends { close(): Promise<void> }>(ms: number, open: () => Promise<T>) {
  let newest: Shared<T> | undefined;
  return async <R>(work: (opened: T) => Promise<R>): Promise<R> => {
    if (!newest || newest.users === 0 || Date.now() - newest.since >= ms)
      newest = { opened: open(), since: Date.now(), users: 0 };
    const mine = newest;
    mine.users += 1;
    try {
      return await work(await mine.opened);
    } finally {
      mine.users -= 1;
      if (mine.users === 0)
        await mine.opened.then(
          (opened) => opened.close(),
          () => {},
        );
    }
  };
}
