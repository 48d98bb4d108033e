import { basename } from 'node:path';
import { formatDuration } from '../../plan/duration.ts';
import type { Cli } from '../cli.ts';
import type { SessionRow } from '../session/session-row.ts';
import type { SessionStatus } from '../session/standing.ts';
import { resumeCommand } from '../session/words.ts';
import { renderTable } from './table.ts';
import { oneLine, pathText } from './text.ts';

/** A table of sessions, and how to go on with the newest of them that can be resumed; nothing when there are none. */
export function sessionListLines(rows: SessionRow[], cli: Cli, all: true | undefined): string[] {
  if (rows.length === 0) return [];
  const heads = ['SESSION', 'STATUS', 'STEP', 'ITERATION', 'AGE', 'FILE', ...(all ? ['DIRECTORY'] : [])];
  const table = rows.map((row) => [
    row.session_id,
    statusWord(row.status, cli),
    of(row.step, row.steps),
    of(row.iteration, row.iterations),
    age(row.updated_at),
    row.file === null ? '-' : oneLine(basename(row.file), 40),
    ...(all ? [pathText(row.directory)] : []),
  ]);
  const next = rows.find(({ resumable }) => resumable);
  const resume = next && `resume it: ${resumeCommand(cli, next.file ?? undefined, next.session_id)}`;
  return [...renderTable(heads, table), ...(resume ? ['', cli.out.colours.dim(resume)] : [])];
}

export function statusWord(status: SessionStatus, { out: { colours } }: Cli): string {
  const colour: Partial<Record<SessionStatus, (text: string) => string>> = {
    interrupted: colours.yellow,
    paused: colours.yellow,
    failed: colours.red,
    running: colours.cyan,
    waiting: colours.magenta,
    completed: colours.green,
  };
  return (colour[status] ?? ((text: string) => text))(status);
}

const of = (n: number | null, total: number | null): string => (n === null || total === null ? '' : `${n}/${total}`);

/** How long ago, in its largest unit. */
export function age(time: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(time)) / 1_000));
  const unit = [86_400, 3_600, 60].find((unit) => seconds >= unit) ?? 1;
  return seconds === 0 ? 'now' : formatDuration(Math.floor(seconds / unit) * unit * 1_000);
}
