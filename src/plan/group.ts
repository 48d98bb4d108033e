/** A plan in its group: in line, or with a slot. */
export interface Member {
  plan_id: string;
  /** The Temporal run that asked, or was seen last. */
  run_id: string;
  ticket: number;
  max: number;
  /** ms since the epoch: when it asked, or was given its slot. */
  since: number;
}

/** Who of a group has a slot, and who waits for one, in the order of asking. Plain JSON. */
export interface GroupState {
  holders: Member[];
  line: Member[];
}

/** Who comes when so many wait already gets no place; it asks again later. */
const LONGEST_LINE = 5_000;

/** What a plan is told of its group. */
export interface LineView {
  /** 1 is next; null when it is not in line. */
  place: number | null;
  waiting: number;
  running: number;
  /** Plans with a slot, those who have it longest first. */
  holders: string[];
}
const HOLDERS_SHOWN = 10;

/**
 * A plan asks for a slot. Once more with the same ticket, or an older one, changes nothing; gives the slot that it has already:
 * a plan that was reset may know nothing of it, and gives it back when it is told.
 */
export function askSlot(state: GroupState, member: Member): Member | undefined {
  const { plan_id, ticket } = member;
  const known = [...state.holders, ...state.line].find((other) => other.plan_id === plan_id);
  if (known && known.ticket >= ticket) return state.holders.find((holder) => holder === known);
  if (known) giveBackSlot(state, known);
  if (state.line.length < LONGEST_LINE) state.line.push(member);
  return undefined;
}

/** It has ended, or waits for something else: its slot or its place in line is free. */
export function giveBackSlot(state: GroupState, { plan_id, ticket }: Pick<Member, 'plan_id' | 'ticket'>): void {
  const stays = (other: Member) => other.plan_id !== plan_id || other.ticket !== ticket;
  state.holders = state.holders.filter(stays);
  state.line = state.line.filter(stays);
}

/**
 * Gives the first in line a slot, if there is one for it. Plans may name different numbers: the smallest of those at work and
 * of the one that would start counts. Nobody overtakes.
 */
export function giveSlot({ holders, line }: GroupState, now: number): Member | undefined {
  const [first] = line;
  if (!first || holders.length >= Math.min(first.max, ...holders.map(({ max }) => max))) return undefined;
  line.shift();
  const holder = { ...first, since: now };
  holders.push(holder);
  return holder;
}

export function lineView({ holders, line }: GroupState, planId: string): LineView {
  const at = line.findIndex(({ plan_id }) => plan_id === planId);
  return {
    place: at === -1 ? null : at + 1,
    waiting: line.length,
    running: holders.length,
    holders: holders.slice(0, HOLDERS_SHOWN).map(({ plan_id }) => plan_id),
  };
}
