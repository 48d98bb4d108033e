const FORM = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/**
 * Milliseconds since the epoch of an ISO 8601 time; undefined when it is none. It must name its zone, or it would mean another
 * time on another machine, and its day must exist: `Date` would quietly take the 31st of February as the 3rd of March.
 */
export function parseTime(text: string): number | undefined {
  const [, year, month, day] = (FORM.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  if (month < 1 || day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}
