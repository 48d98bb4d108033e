import { type Entry, runOf } from './event-words.ts';

export interface RunGroup {
  run: number;
  /** Newest first. */
  entries: Entry[];
}

/** A story by its runs, newest first. Of one that begins in its middle the first run is told by those after it, or is the last. */
export function groupsOf(entries: readonly Entry[], lastRun: number): RunGroup[] {
  const groups: RunGroup[] = [];
  let open: Entry[] = [];
  let run: number | undefined;
  const close = (next?: number) => {
    if (open.length > 0)
      groups.push({ run: run ?? (next === undefined ? lastRun : next - 1), entries: open.reverse() });
    open = [];
  };
  for (const entry of entries) {
    const begun = runOf(entry);
    if (begun !== undefined) {
      close(begun);
      run = begun;
    }
    open.push(entry);
  }
  close();
  return groups.reverse();
}
