import type { SlotWish } from './effects.ts';
import { inFlight, isActive, mayGoOn, nextStart, type Plan } from './plan.ts';

/** A wait or back-off shorter than this is not worth a place in line: the slot is kept. */
const SHORT_WAIT_MS = 10_000;
/** Whoever waits asks again after this, and each time after twice as long, up to an hour. */
const ASK_AGAIN_MS = 60_000;
const LONGEST_ASK_AGAIN_MS = 3_600_000;

/**
 * What the plan wants of its group now: a slot as soon as there is something to start, none any more once nothing is at work
 * and nothing could start. So a plan that is paused, held or waits for somebody keeps no other from running.
 */
export function settleSlot(plan: Plan, now: number): SlotWish | undefined {
  const { state, definition } = plan;
  if (!definition.concurrency) return undefined;
  const { slot } = state;
  switch (slot?.is) {
    case 'held':
      return keeps(plan, now) ? undefined : giveBack(plan, now);
    case 'asked':
      return wants(plan, now) ? askAgain(plan, now) : giveBack(plan, now);
    default: {
      if (!wants(plan, now)) return undefined;
      const ticket = Math.max(state.seq, (slot?.ticket ?? -1) + 1);
      state.slot = { is: 'asked', since: now, ticket, again_at: now + ASK_AGAIN_MS };
      return { ask: ticket };
    }
  }
}

/** Takes a slot that the group gives; false when it is not wanted, or no more. */
export function takeSlot({ state }: Plan, ticket: number, now: number): boolean {
  const { slot } = state;
  if (slot?.ticket !== ticket || slot.is === 'free') return false;
  if (slot.is === 'asked') state.slot = { is: 'held', since: now, ticket };
  return true;
}

function keeps(plan: Plan, now: number): boolean {
  const { state } = plan;
  if (state.verdict) return false;
  // What waits in a sub-plan or map goes on by itself when it is answered: the slot is there for it.
  if (isActive(plan) || (inFlight(plan) && !state.pause) || wants(plan, now)) return true;
  const next = nextStart(plan);
  return !state.pause && next !== undefined && next - now < SHORT_WAIT_MS;
}

/** Something could start, or go on, but for the slot. */
function wants(plan: Plan, now: number): boolean {
  const { candidates, instant, ready, maps, children } = plan.index;
  if (!mayGoOn(plan, now)) return false;
  if (candidates.length > 0 || instant.length > 0 || ready.length > 0) return true;
  const standing = Array.from(children.values()).some(({ told }) => told?.status === 'paused');
  return standing || (maps.size > 0 && children.size === 0);
}

function askAgain({ state }: Plan, now: number): SlotWish | undefined {
  const slot = state.slot!;
  if (slot.again_at === undefined || slot.again_at > now) return undefined;
  slot.again_at = now + Math.min(Math.max(now - slot.since, ASK_AGAIN_MS), LONGEST_ASK_AGAIN_MS);
  return { ask: slot.ticket };
}

function giveBack({ state }: Plan, now: number): SlotWish {
  const { ticket } = state.slot!;
  state.slot = { is: 'free', since: now, ticket };
  return { give_back: ticket };
}
