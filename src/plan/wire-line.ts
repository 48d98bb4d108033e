/** Document 2: what an operation tells of itself, one compact line a time. */

export const SIGILS = {
  accepted: '+',
  running: '~',
  unchanged: '=',
  succeeded: '!',
  cancelled: 'x',
  failed: '?',
} as const;
export type LineKind = keyof typeof SIGILS;
export type Sigil = (typeof SIGILS)[LineKind];

/** As `_meta.plasm.continuity` has it. */
export const PHASES = {
  accepted: 'running',
  running: 'running',
  unchanged: 'running',
  succeeded: 'succeeded',
  cancelled: 'cancelled',
  failed: 'failed',
} as const satisfies Record<LineKind, string>;
export type Phase = (typeof PHASES)[LineKind];

/** What a line is made of; what it has nothing to say of is left out. */
export type LineParts =
  | { is: 'accepted'; commit_ref?: string; review?: boolean }
  | { is: 'running' | 'unchanged'; step?: number; total?: number; label?: string; rows?: number }
  | { is: 'succeeded' | 'cancelled'; rows?: number }
  | { is: 'failed'; message?: string };

/** `_meta.plasm.op`: the operation's n-th line. */
export interface OpMeta extends Partial<Record<Sigil, 1>> {
  n: number;
  s?: string;
  l?: string;
  r?: number;
  c?: string;
}

/** `` `s0_o1` ~ 3/8 Pokemon 120r `` */
export function wireLine(handle: string, parts: LineParts): string {
  return [`\`${handle}\``, SIGILS[parts.is], ...wordsOf(parts)].join(' ');
}

export function opOf(n: number, parts: LineParts): OpMeta {
  const sigil = { [SIGILS[parts.is]]: 1 } as Partial<Record<Sigil, 1>>;
  switch (parts.is) {
    case 'accepted':
      return { n, ...sigil, ...(parts.commit_ref && { c: parts.commit_ref }) };
    case 'running':
    case 'unchanged': {
      const s = stepOf(parts);
      const label = parts.is === 'running' && parts.label ? { l: oneLine(parts.label) } : {};
      return { n, ...sigil, ...(s && { s }), ...label, ...rowsOf(parts) };
    }
    case 'succeeded':
    case 'cancelled':
      return { n, ...sigil, ...rowsOf(parts) };
    case 'failed':
      return { n, ...sigil };
  }
}

/** What a step of an operation told of itself last. */
export interface StepTold {
  /** ms since the epoch. */
  at: number;
  rows: number;
}

/** Rows of one step are told at most this often. */
export const COALESCE_MS = 2_000;

/**
 * When a step may tell how many rows it has: at once when it has told nothing yet, and else, if there are more, two seconds after
 * it last did. Undefined: there is nothing to tell.
 */
export function tellAt(last: StepTold | undefined, rows: number, now: number): number | undefined {
  if (!last) return now;
  return rows > last.rows ? Math.max(now, last.at + COALESCE_MS) : undefined;
}

function wordsOf(parts: LineParts): string[] {
  switch (parts.is) {
    case 'accepted':
      return [...(parts.commit_ref ? [parts.commit_ref] : []), ...(parts.review ? ['review'] : [])];
    case 'running':
    case 'unchanged':
      return [stepOf(parts), parts.label && oneLine(parts.label), shownRows(parts)].filter(
        (word) => !!word,
      ) as string[];
    case 'succeeded':
    case 'cancelled':
      return [shownRows(parts)].filter((word) => word !== '');
    case 'failed':
      return [oneLine(parts.message ?? '') || 'failed'];
  }
}

/** Steps count from 1, also before the first has begun. */
function stepOf({ step = 1, total = 0 }: { step?: number; total?: number }): string | undefined {
  return total > 0 ? `${Math.max(1, step)}/${total}` : undefined;
}

const rowsOf = ({ rows = 0 }: { rows?: number }): { r?: number } => (rows > 0 ? { r: rows } : {});
const shownRows = ({ rows = 0 }: { rows?: number }): string => (rows > 0 ? `${rows}r` : '');

const LONGEST = 240;

/** A line is one line, whatever a source put into its messages. */
function oneLine(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  const characters = [...line];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : line;
}
