import { Ban, Check, CircleAlert, Equal, Eye, Play, Plus, ShieldCheck, X } from 'lucide-react';
import { type LineKind, SIGILS } from '../../plan/wire-line.ts';
import type { Operation, OperationLine } from '../api/types.ts';
import type { BadgeLook } from '../ui/badges.ts';

/** What the sigil of a line says, in words. */
export const LINE_BADGES: Record<LineKind, BadgeLook> = {
  accepted: { words: 'Accepted', icon: Plus, tone: 'teal' },
  running: { words: 'Running', icon: Play, tone: 'blue' },
  unchanged: { words: 'Nothing new', icon: Equal, tone: 'blue' },
  succeeded: { words: 'Succeeded', icon: Check, tone: 'green' },
  cancelled: { words: 'Cancelled', icon: Ban, tone: 'gray' },
  failed: { words: 'Failed', icon: X, tone: 'red' },
};
export const PHASE_BADGES: Record<Operation['phase'], BadgeLook> = {
  running: LINE_BADGES.running,
  succeeded: LINE_BADGES.succeeded,
  cancelled: LINE_BADGES.cancelled,
  failed: LINE_BADGES.failed,
};
export const VERDICT_BADGES: Record<Operation['verdict'], BadgeLook> = {
  ok: { words: 'Nothing to review', icon: ShieldCheck, tone: 'gray' },
  review: { words: 'To be reviewed', icon: Eye, tone: 'violet' },
};
/** Of what runs already: somebody has accepted it. */
export const ACCEPTED_REVIEW: BadgeLook = { words: 'Review accepted', icon: Eye, tone: 'violet' };
export const ERROR_ICON = CircleAlert;

const KINDS = Object.entries(SIGILS) as [LineKind, keyof OperationLine][];

export const kindOf = (op: OperationLine): LineKind => KINDS.find(([, sigil]) => op[sigil] === 1)?.[0] ?? 'running';

/** The kind of a line by its text, which begins with its handle and its sigil. */
export function kindOfLine(line: string): LineKind {
  const sigil = /^`[^`]*` (\S)/.exec(line)?.[1];
  return KINDS.find(([, each]) => each === sigil)?.[0] ?? 'running';
}

/** How many rows a line tells; that of a failure tells none, whatever its message ends with. */
export function rowsInLine(line: string): number | undefined {
  const [, rows] = / (\d+)r$/.exec(line) ?? [];
  return rows === undefined || kindOfLine(line) === 'failed' ? undefined : Number(rows);
}

/** What the line of a failure says of it; undefined for any other line. */
export const failureInLine = (line: string): string | undefined => /^`[^`]*` \? (.+)$/su.exec(line)?.[1];

export const inRequests = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'request' : 'requests'}`;
export const inRows = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'}`;
