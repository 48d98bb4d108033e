import { useNow } from './clock.ts';

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** A length of time in its two greatest units: `1 h 4 min`; below a second in ms. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  const at = UNITS.findIndex(([, unit]) => ms >= unit);
  const [name, unit] = UNITS[at]!;
  const whole = Math.floor(ms / unit);
  const next = UNITS[at + 1];
  const rest = next ? Math.floor((ms % unit) / next[1]) : 0;
  return rest > 0 ? `${whole} ${name} ${rest} ${next![0]}` : `${whole} ${name}`;
}

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** A time as its age, or as what is left until it; the full time on hover. */
export function Ago({ at }: { at: string }) {
  const ms = useNow() - Date.parse(at);
  const words = Math.abs(ms) < 1_000 ? 'now' : ms < 0 ? `in ${duration(-ms)}` : `${greatest(ms)} ago`;
  return (
    <time dateTime={at} title={full.format(new Date(at))}>
      {words}
    </time>
  );
}

const greatest = (ms: number): string => duration(ms).split(' ').slice(0, 2).join(' ');

/** The time of day, with the day where that is another. */
export function Clock({ at }: { at: string }) {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  const time = date.toLocaleTimeString(undefined, { hour12: false });
  return (
    <time dateTime={at} title={full.format(date)}>
      {isToday ? time : `${date.toLocaleDateString()} ${time}`}
    </time>
  );
}
