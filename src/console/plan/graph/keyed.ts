import { useCallback, useSyncExternalStore } from 'react';

/** Values by key, each heard of by those alone who ask for it: of a thousand tasks one that changes redraws one. */
export class Keyed<V> {
  #values: ReadonlyMap<string, V>;
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #all = new Set<() => void>();

  constructor(values: ReadonlyMap<string, V> = new Map()) {
    this.#values = values;
  }
  get = (key: string): V | undefined => this.#values.get(key);
  all = (): ReadonlyMap<string, V> => this.#values;

  replace(next: ReadonlyMap<string, V>): void {
    const before = this.#values;
    this.#values = next;
    let isOther = before.size !== next.size;
    for (const key of new Set([...before.keys(), ...next.keys()])) {
      if (before.get(key) === next.get(key)) continue;
      isOther = true;
      for (const listener of this.#listeners.get(key) ?? []) listener();
    }
    if (isOther) for (const listener of this.#all) listener();
  }
  subscribe(key: string, listener: () => void): () => void {
    const those = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, those.add(listener));
    return () => {
      those.delete(listener);
      if (those.size === 0) this.#listeners.delete(key);
    };
  }
  subscribeAll = (listener: () => void): (() => void) => {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  };
}

export function useKeyed<V>(keyed: Keyed<V>, key: string): V | undefined {
  const subscribe = useCallback((listener: () => void) => keyed.subscribe(key, listener), [keyed, key]);
  return useSyncExternalStore(subscribe, () => keyed.get(key));
}

export const useAllKeyed = <V>(keyed: Keyed<V>): ReadonlyMap<string, V> =>
  useSyncExternalStore(keyed.subscribeAll, keyed.all);
