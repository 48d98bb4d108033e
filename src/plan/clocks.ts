/**
 * A span that has to pass: until a time while it runs, or what remains of it while the plan is held.
 * Both in milliseconds; `due` since the epoch.
 */
export type Clock = { due: number } | { remaining: number };

export const startClock = (span: number, now: number): Clock => ({ due: now + span });

/** Stands still from `at` on: the time of the command that holds, not of its arrival. */
export const freeze = (clock: Clock, at: number): Clock =>
  'due' in clock ? { remaining: Math.max(0, clock.due - at) } : clock;

export const thaw = (clock: Clock, now: number): Clock =>
  'remaining' in clock ? { due: now + clock.remaining } : clock;

export const dueAt = (clock: Clock | undefined): number | undefined =>
  clock && 'due' in clock ? clock.due : undefined;
