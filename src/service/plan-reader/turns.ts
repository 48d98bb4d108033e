/** What waits, by whose it is. */
export interface Turns<T> {
  /** False when too many wait already. */
  add(owner: string, item: T): boolean;
  next(): T | undefined;
}

/** A queue in which owners take turns: who sends many waits for their own, and nobody else does. */
export function takeTurns<T>({ ofOne, ofAll }: { ofOne: number; ofAll: number }): Turns<T> {
  /** Whose turn it is comes first. */
  const owners = new Map<string, T[]>();
  let size = 0;
  return {
    add(owner, item) {
      const own = owners.get(owner) ?? [];
      if (own.length >= ofOne || size >= ofAll) return false;
      own.push(item);
      owners.set(owner, own);
      size++;
      return true;
    },
    next() {
      const [first] = owners;
      if (!first) return undefined;
      const [owner, [item, ...rest]] = first;
      owners.delete(owner);
      if (rest.length > 0) owners.set(owner, rest);
      size--;
      return item;
    },
  };
}
