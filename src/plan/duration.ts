const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** For editors: durations over ten years fit it too. */
export const DURATION_PATTERN = '^(?:\\d+(?:\\.\\d+)?(?:ms|s|m|h|d))+$';
const FORM = new RegExp(DURATION_PATTERN);
/** Longer spans are more likely a slip than a wish; Temporal's timers end near this too. */
export const LONGEST_MS = 3_650 * UNITS.d;

/** Milliseconds of a duration such as `30s`, `1h30m` or `1.5d`; undefined when it is none, or over ten years. */
export function parseDuration(text: string): number | undefined {
  if (!FORM.test(text)) return undefined;
  let ms = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g))
    ms += Number(amount) * UNITS[unit as keyof typeof UNITS];
  return ms <= LONGEST_MS ? Math.round(ms) : undefined;
}

/** A duration for people: the two largest units, such as `1h30m`. */
export function formatDuration(ms: number): string {
  if (ms < UNITS.s) return `${Math.max(0, Math.round(ms))}ms`;
  if (ms < 10 * UNITS.s && ms % UNITS.s !== 0) return `${(ms / UNITS.s).toFixed(1)}s`;
  let rest = Math.round(ms / UNITS.s) * UNITS.s;
  const parts: string[] = [];
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    const amount = Math.floor(rest / UNITS[unit]);
    rest -= amount * UNITS[unit];
    if (amount > 0 && parts.length < 2) parts.push(`${amount}${unit}`);
  }
  return parts.join('');
}
