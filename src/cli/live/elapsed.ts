import { formatDuration } from '../../plan/duration.ts';

/** A span that is still going on, in whole seconds: it is read while it changes. */
export const spanInWords = (ms: number): string => (ms < 1_000 ? '0s' : formatDuration(Math.floor(ms / 1_000) * 1_000));

/** Since then, and at most since `from`. */
export const since = (iso: string, now: number, from = 0): string => spanInWords(now - Math.max(Date.parse(iso), from));

/** What is left, never less than a second while it is not over. */
export const until = (iso: string, now: number): string =>
  spanInWords(Math.max(0, Math.ceil((Date.parse(iso) - now) / 1_000) * 1_000));
