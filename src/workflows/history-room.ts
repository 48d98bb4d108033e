import type { Due, Room } from '../plan/plan.ts';

/** From this many history events on, a run hands over to the next as soon as nothing is in flight … */
export const HANDOVER_EVENTS = 2_500;
/** … and from this many on, nothing new starts until then, whatever it takes. */
export const DRAIN_EVENTS = 5_000;
/** Past the first mark nothing starts for this long, for most of what is in flight ends soon; what takes longer is not waited for. */
const PATIENCE_MS = 2_000;

/** Tells how much room a run's history has. Measured by events: payloads are kept small elsewhere. */
export function historyRoom() {
  let patience: number | undefined;
  let waiting = false;
  return {
    isFull: (events: number): boolean => events >= HANDOVER_EVENTS,

    now(events: number, flying: boolean, now: number): Room {
      waiting = false;
      if (events < HANDOVER_EVENTS) return 'enough';
      if (events >= DRAIN_EVENTS || !flying) return 'full';
      patience ??= now + PATIENCE_MS;
      waiting = now < patience;
      return waiting ? 'full' : 'overflow';
    },

    /** The end of the patience. */
    wakeUp: (): Due | undefined =>
      waiting && patience !== undefined ? { what: 'room in the history', due: patience } : undefined,
  };
}
