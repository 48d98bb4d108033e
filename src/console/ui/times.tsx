import { useNow } from './clock.ts';
import { duration } from './duration.ts';

export { duration };

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
