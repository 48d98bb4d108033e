import { basename } from 'node:path';
import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
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
  const columns: Column[] = [
    ['SESSION', ({ session_id }) => session_id],
    ['STATUS', ({ status }) => statusWord(status, cli)],
    ['STEP', ({ step, steps }) => of(step, steps)],
    ['ITER', ({ iteration, iterations }) => of(iteration, iterations)],
    ['AGE', ({ updated_at }) => age(updated_at)],
    ['FILE', ({ file }) => (file === null ? '-' : oneLine(basename(file), 40))],
    ...(all ? ([['DIRECTORY', ({ directory }) => pathText(directory)]] satisfies Column[]) : []),
  ];
  const next = rows.find(({ resumable }) => resumable);
  const resume = next && `resume it: ${resumeCommand(cli, next.file ?? undefined, next.session_id)}`;
  return [...tableOf(columns, rows, cli.out.columns), ...(resume ? ['', cli.out.colours.dim(resume)] : [])];
}

type Column = [head: string, cell: (row: SessionRow) => string];

/** What a narrow terminal can do without: the id has the plan's name in it. */
const SPARED = ['FILE', 'AGE'];
const SHORTEST_DIRECTORY = 12;

/** Without columns that say nothing; at a terminal a row is one line where that can be. */
function tableOf(columns: Column[], rows: SessionRow[], room = Number.POSITIVE_INFINITY): string[] {
  const told = columns.filter(([, cell]) => rows.some((row) => cell(row) !== ''));
  const fewer = [0, 1, 2].map((spared) => told.filter(([head]) => !SPARED.slice(0, spared).includes(head)));
  const tables = fewer.map((kept) => draw(kept, rows));
  return tables.find((lines) => widthOf(lines) <= room) ?? withDirectoryIn(fewer.at(-1)!, rows, room);
}

/** Of directories, the ends tell more. */
function withDirectoryIn(columns: Column[], rows: SessionRow[], room: number): string[] {
  const others = columns.filter(([head]) => head !== 'DIRECTORY');
  const left = Math.max(SHORTEST_DIRECTORY, room - widthOf(draw(others, rows)) - 2);
  return draw(
    columns.map(([head, cell]): Column => [head, head === 'DIRECTORY' ? (row) => fitEnd(cell(row), left) : cell]),
    rows,
  );
}

const draw = (columns: Column[], rows: SessionRow[]): string[] =>
  renderTable(
    columns.map(([head]) => head),
    rows.map((row) => columns.map(([, cell]) => cell(row))),
  );

const widthOf = (lines: string[]): number => Math.max(...lines.map((line) => stringWidth(line)));
const fitEnd = (text: string, columns: number): string => cliTruncate(text, columns, { position: 'start' });

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
