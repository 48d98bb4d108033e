const S = 1_000;
const MIN = 60 * S;
const H = 60 * MIN;
const DAY = 24 * H;
const STEPS = [
  ...[10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((n) => n * S),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MIN),
  ...[1, 2, 3, 6, 12].map((n) => n * H),
  ...[1, 2, 7, 14, 28, 56, 91, 182, 364].map((n) => n * DAY),
];

/** From when to when, in ms since the epoch; never nothing. */
export interface Range {
  from: number;
  to: number;
}

interface Extent {
  from: number;
  to?: number;
}
/** So much of a deadline's way has to be gone for it to be in the picture: else all else would be squeezed aside. */
const DEADLINE_SHARE = 0.4;
const LEAST_MS = 200;

/** What has to be seen: all stretches, up to now while something goes on, and a deadline that is near. */
export function rangeOf(
  extents: Extent[],
  now: number,
  { isLive, deadline }: { isLive: boolean; deadline?: number },
): Range {
  const from = extents.reduce((least, extent) => Math.min(least, extent.from), extents.length > 0 ? Infinity : now);
  const last = extents.reduce((most, { from: begun, to }) => Math.max(most, to ?? begun), from);
  const to = Math.max(last, isLive ? now : last, from + LEAST_MS);
  const isNear = deadline !== undefined && deadline > to && (to - from) / (deadline - from) >= DEADLINE_SHARE;
  return { from, to: isNear ? deadline : to };
}

/** Where a time is, from 0 at the beginning to 1 at the end. */
export const shareOf = ({ from, to }: Range, at: number): number => (at - from) / (to - from);

/** The least step that people count by which leaves so much room between two marks. */
export function stepFor({ from, to }: Range, px: number, roomPx: number): number {
  const most = Math.max(1, Math.floor(px / roomPx));
  return STEPS.find((step) => (to - from) / step <= most) ?? STEPS.at(-1)!;
}

/** Marks of an axis: whole minutes, hours or days of the local clock, `offset` ms ahead of UTC. */
export function ticksOf(range: Range, step: number, offset = localOffset(range.from)): number[] {
  const ticks: number[] = [];
  for (let at = Math.ceil((range.from + offset) / step) * step - offset; at <= range.to; at += step) ticks.push(at);
  return ticks;
}

const localOffset = (at: number): number => -new Date(at).getTimezoneOffset() * MIN;

/** A mark's words: no finer than the step is. */
export function tickWords(at: number, step: number, locale?: string): string {
  const date = new Date(at);
  if (step >= DAY) return date.toLocaleDateString(locale, { day: 'numeric', month: 'short' });
  const time: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
  if (step >= MIN) return date.toLocaleTimeString(locale, time);
  if (step >= S) return date.toLocaleTimeString(locale, { ...time, second: '2-digit' });
  return date.toLocaleTimeString(locale, { ...time, second: '2-digit', fractionalSecondDigits: 2 });
}
