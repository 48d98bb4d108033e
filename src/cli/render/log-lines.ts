import { stripVTControlCharacters } from 'node:util';
import type { LogRef } from '../../activities/logs/attempt-files.ts';
import type { TextPiece } from '../../activities/logs/log-text.ts';
import { DROPPED_LINE } from '../../activities/run/bounded-log.ts';
import type { Cli } from '../cli.ts';

export interface LogPrinter {
  piece(log: LogRef, piece: TextPiece): Promise<void>;
  /** What has no line break yet is shown: of one log, or of all. */
  end(log?: LogRef): Promise<void>;
  /** Whether anything was shown. */
  any(): boolean;
}

/** A line that is longer is shown in parts. */
const LONGEST_LINE = 64 * 1_024;
const COLOURS = ['cyan', 'green', 'yellow', 'magenta', 'blue'] as const;

/** Shows logs line by line, each with the name of its task where there are several. */
export function logPrinter({ out }: Cli, { named, json }: { named: boolean; json?: true | undefined }): LogPrinter {
  const open = new Map<string, { log: LogRef; text: string; style: string }>();
  const tasks: string[] = [];
  let shown = false;

  const nameOf = ({ task, attempt }: LogRef): string => {
    if (!tasks.includes(task)) tasks.push(task);
    const colour = COLOURS[tasks.indexOf(task) % COLOURS.length]!;
    return `${out.colours[colour](attempt > 1 ? `${task} (attempt ${attempt})` : task)} | `;
  };
  const shownLine = (entry: { log: LogRef; style: string }, line: string): string => {
    const { text, style } = out.colours.isColorSupported ? styled(line, entry.style) : { text: plain(line), style: '' };
    entry.style = style;
    return `${named ? nameOf(entry.log) : ''}${text}`;
  };
  /** At once: a write for each of a million lines takes its time. */
  const show = (entry: { log: LogRef; style: string }, lines: string[]) => {
    if (lines.length === 0) return;
    shown = true;
    out.line(lines.map((line) => shownLine(entry, line)).join('\n'));
  };

  return {
    async piece(log, piece) {
      if (json) {
        const { run, task, attempt, dispatch } = log;
        const { offset, next, text } = piece;
        shown = true;
        out.line(JSON.stringify({ run, task, attempt, dispatch, offset, next, text }));
      } else {
        const key = [log.task, log.run, log.attempt, log.dispatch, log.again].join(' ');
        const entry = open.get(key) ?? { log, text: '', style: '' };
        open.set(key, entry);
        const { lines, rest } = linesOf(entry.text + piece.text);
        entry.text = rest;
        show(entry, lines);
      }
      await out.drained?.();
    },
    async end(log) {
      for (const [key, entry] of open) {
        if (log && entry.log !== log) continue;
        const rest = entry.text.replace(/\r$/, '');
        if (rest !== '') show(entry, [rest]);
        open.delete(key);
      }
    },
    any: () => shown,
  };
}

/** Whole lines, and what has not ended. A bare CR, by which progress bars redraw theirs, ends a line as well. */
function linesOf(text: string): { lines: string[]; rest: string } {
  const lines = text.split(/\r*\n|\r+(?=[^\r\n])/);
  let rest = lines.pop()!;
  for (; rest.length > LONGEST_LINE; rest = rest.slice(LONGEST_LINE)) lines.push(rest.slice(0, LONGEST_LINE));
  return { lines, rest };
}

const printable = (text: string): string => text.replace(/[^\P{Cc}\t]/gu, '');

/** Without anything that could steer a terminal. */
const plain = (line: string): string => withoutBytes(printable(stripVTControlCharacters(line)));

const ESC = '\u001b';
const STYLE = new RegExp(`(${ESC}\\[[\\d;:]*m)`);
const RESET = `${ESC}[0m`;
const LONGEST_STYLE = 200;

/** Colours stay, and go on over line breaks, within the lines of their own log. Nothing else that steers a terminal does. */
function styled(line: string, before: string): { text: string; style: string } {
  let style = before;
  const parts = line.split(STYLE).map((part, i) => {
    if (i % 2 === 0) return plain(part);
    style = /\[0*m$/.test(part) ? '' : style.length > LONGEST_STYLE ? part : style + part;
    return part;
  });
  const text = before + parts.join('');
  return { text: text.includes(ESC) ? `${text}${RESET}` : text, style };
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** The mark of what was not kept, for people. */
function withoutBytes(line: string): string {
  const dropped = Number(DROPPED_LINE.exec(line)?.[1] ?? 0);
  if (dropped === 0) return line;
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log10(dropped) / 3));
  return `… ${Number((dropped / 1_000 ** unit).toFixed(1))} ${UNITS[unit]} left out …`;
}
