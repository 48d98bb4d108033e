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
