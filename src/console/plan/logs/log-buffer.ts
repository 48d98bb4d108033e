import { ansiReader, type PlainLine } from './ansi.ts';

/** What the stream of a log sends: bytes `offset` to `next` of one attempt's log, as text. */
export interface LogPiece {
  run: number;
  attempt: number;
  dispatch: number;
  again?: number;
  offset: number;
  next: number;
  text: string;
}

export interface LogLine extends PlainLine {
  /** From 1, of its own log; absent where the beginning of the log was not read, or the line goes on with the one before. */
  number?: number;
  /** No line of the log: where another attempt begins, or how many bytes are not there. */
  is?: 'attempt' | 'dropped';
}

/** What a page holds of a log at most: the first is let go of. */
const MOST_LINES = 50_000;
const MOST_CHARACTERS = 12_000_000;
/** A longer line is shown as several. */
const LONGEST_LINE = 10_000;

export interface LogBuffer {
  /** What is held, in order; `first` counts what was let go of before it. */
  lines: LogLine[];
  first: number;
  /** Bytes of the log before what was read, which began later. */
  skipped: number;
  take: (piece: LogPiece) => void;
}

/** The lines of the logs of a task's attempts, as they come in pieces. */
export function logBuffer(): LogBuffer {
  let read = ansiReader();
  let log = '';
  let next = 0;
  let number: number | undefined;
  let characters = 0;
  /** The last line is not at its end yet. */
  let open = '';
  let isOpen = false;
  let goesOn = false;
  const buffer: LogBuffer = { lines: [], first: 0, skipped: 0, take };
  return buffer;

  function take(piece: LogPiece): void {
    const name = nameOf(piece);
    if (name !== log || piece.offset < next) begin(piece, name);
    next = piece.next;
    const parts = (open + piece.text).split('\n');
    dropOpen();
    open = parts.pop()!;
    for (const part of parts) putWhole(part);
    while (open.length > LONGEST_LINE) {
      put({ text: open.slice(0, LONGEST_LINE) });
      goesOn = true;
      open = open.slice(LONGEST_LINE);
    }
    if (open !== '') {
      // It is read again when it is whole: until then its colours do not count.
      buffer.lines.push(numbered(ansiReader()(open)));
      isOpen = true;
    }
    letGo();
  }

  function begin(piece: LogPiece, name: string): void {
    if (open !== '') {
      dropOpen();
      putWhole(open);
    }
    const isFirst = log === '';
    [log, open, goesOn, read] = [name, '', false, ansiReader()];
    number = piece.offset === 0 ? 1 : undefined;
    if (isFirst) buffer.skipped = piece.offset;
    if (!isFirst || piece.attempt > 1 || piece.dispatch > 1) push({ text: wordsOf(piece), is: 'attempt' });
  }

  function putWhole(raw: string): void {
    const [, dropped] = /^… (\d+) bytes dropped …$/.exec(raw) ?? [];
    if (dropped !== undefined) {
      // How many lines these were nobody knows.
      number = undefined;
      push({ text: `${size(Number(dropped))} of the output were not kept`, is: 'dropped' });
      return;
    }
    for (let at = 0; at === 0 || at < raw.length; at += LONGEST_LINE) {
      put(read(raw.length > LONGEST_LINE ? raw.slice(at, at + LONGEST_LINE) : raw));
      goesOn = true;
    }
    goesOn = false;
    if (number !== undefined) number += 1;
  }

  function put(line: PlainLine): void {
    push(numbered(line));
  }
  function numbered(line: PlainLine): LogLine {
    return number === undefined || goesOn ? line : { ...line, number };
  }
  function push(line: LogLine): void {
    buffer.lines.push(line);
    characters += line.text.length;
  }
  function dropOpen(): void {
    if (isOpen) buffer.lines.pop();
    isOpen = false;
  }

  /** A quarter at once: to move all lines for each that comes would take long. */
  function letGo(): void {
    const { lines } = buffer;
    while (lines.length > MOST_LINES || (characters > MOST_CHARACTERS && lines.length > 1)) {
      const gone = lines.splice(0, Math.ceil(lines.length / 4));
      buffer.first += gone.length;
      for (const { text } of gone) characters -= text.length;
    }
  }
}

export const nameOf = ({ run, attempt, dispatch, again }: Omit<LogPiece, 'offset' | 'next' | 'text'>): string =>
  `${run}.${attempt}.${dispatch}${again ? `-${again}` : ''}`;

export function wordsOf({ run, attempt, dispatch, again }: Omit<LogPiece, 'offset' | 'next' | 'text'>): string {
  const more = [...(dispatch > 1 ? [`begun again (${dispatch})`] : []), ...(again ? [`sub-plan try ${again}`] : [])];
  return [`Run ${run}, attempt ${attempt}`, ...more].join(', ');
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes as people read it. */
export function size(bytes: number): string {
  let [value, unit] = [bytes, 0];
  for (; value >= 1_000 && unit < UNITS.length - 1; unit++) value /= 1_000;
  return `${value >= 100 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}
