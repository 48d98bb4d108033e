import { emitKeypressEvents, type Interface } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import type { Key, LiveScreen, Terminal, TerminalUser } from '../terminal.ts';

/** Whether there is a person before this stream, and a terminal that can draw. */
export const canDraw = ({ isTTY }: { isTTY?: boolean }, { CI, TERM }: NodeJS.ProcessEnv): boolean =>
  isTTY === true && TERM !== 'dumb' && (!CI || CI === 'false');

const HIDE_CURSOR = '\u001B[?25l';
const SHOW_CURSOR = '\u001B[?25h';
/** Between these a terminal shows nothing, so that nobody sees a view half drawn. */
const BEGIN_DRAWING = '\u001B[?2026h';
const END_DRAWING = '\u001B[?2026l';
const ERASE_ROW_AND_UP = '\u001B[2K\u001B[1A';
/** A lone Escape is one when nothing follows for so long. */
const ESCAPE_MS = 50;

/** This process's terminal. `taken` is told the screen while it is taken, so that what others print goes above it. */
export function processTerminal(
  input: ReadStream,
  output: WriteStream,
  taken: (screen: LiveScreen | undefined) => void,
): Terminal {
  return {
    async open(user) {
      const [{ createLogUpdate }, { columnsOf }] = await Promise.all([import('log-update'), import('./fit.ts')]);
      const block = blockOn(output, createLogUpdate, columnsOf);
      /** What Ctrl+Z does elsewhere, which a terminal that gives every key does not do by itself. */
      const suspend = () => {
        block.remove();
        output.write(SHOW_CURSOR);
        input.setRawMode(false);
        process.once('SIGCONT', () => {
          if (!isOpen) return;
          input.setRawMode(true);
          output.write(HIDE_CURSOR);
          user.resized();
        });
        process.kill(0, 'SIGTSTP');
      };
      let isOpen = true;
      const leaveKeys = input.isTTY ? hearKeys(input, user, suspend) : undefined;
      const resized = () => {
        block.resized();
        user.resized();
      };
      output.write(HIDE_CURSOR);
      output.on('resize', resized);
      const screen: LiveScreen = {
        get columns() {
          return output.columns || 80;
        },
        get rows() {
          return output.rows || 24;
        },
        hasKeys: leaveKeys !== undefined,
        draw(rows) {
          if (isOpen) block.draw(rows);
        },
        print(lines) {
          if (isOpen) block.print(lines);
        },
        close() {
          if (!isOpen) return;
          isOpen = false;
          taken(undefined);
          block.remove();
          output.off('resize', resized);
          process.off('exit', screen.close);
          for (const [signal, end] of ends) process.off(signal, end);
          leaveKeys?.();
          output.write(SHOW_CURSOR);
        },
      };
      const ends = ENDING_SIGNALS.map(([signal, code]) => [signal, () => process.exit(code)] as const);
      for (const [signal, end] of ends) process.on(signal, end);
      process.on('exit', screen.close);
      taken(screen);
      return screen;
    },
  };
}

/** These end the process; the terminal is given back first. */
const ENDING_SIGNALS = [
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const;

/** Draws a block again and again below lines that stay, each time by one write. */
function blockOn(
  output: WriteStream,
  createLogUpdate: typeof import('log-update').createLogUpdate,
  columnsOf: (text: string) => number,
) {
  let written = '';
  let drawn: string[] = [];
  // Only what log-update asks of a stream; what it writes is kept for one write.
  const kept = { write: (text: string) => (written += text), rows: 0, columns: 0 };
  const update = createLogUpdate(kept as unknown as NodeJS.WritableStream, { showCursor: true });
  const flush = () => {
    if (written !== '') output.write(BEGIN_DRAWING + written + END_DRAWING);
    written = '';
  };
  const measure = () => Object.assign(kept, { rows: output.rows || 24, columns: output.columns || 80 });
  return {
    draw(rows: string[]) {
      measure();
      // log-update leaves rows behind that two frames of unlike height share at their end.
      if (rows.length !== drawn.length) update.clear();
      update(rows.join('\n'));
      drawn = rows;
      flush();
    },
    print(lines: string[]) {
      measure();
      update.clear();
      written += `${lines.join('\n')}\n`;
      update(drawn.join('\n'));
      flush();
    },
    /** A narrower terminal has broken the rows that were drawn into more. */
    resized() {
      const { columns } = measure();
      const now = drawn.reduce((sum, row) => sum + Math.max(1, Math.ceil(columnsOf(row) / columns)), 0);
      written += ERASE_ROW_AND_UP.repeat(Math.max(0, now - drawn.length));
      update.clear();
      drawn = [];
    },
    remove() {
      update.clear();
      drawn = [];
      flush();
    },
  };
}

/** Hears every key, Ctrl+C too, until the function it gives is called. */
function hearKeys(input: ReadStream, user: TerminalUser, suspend: () => void): () => void {
  emitKeypressEvents(input, { escapeCodeTimeout: ESCAPE_MS } as unknown as Interface);
  const onKey = (text: string | undefined, { name = '', ctrl = false }: Partial<Key> = {}) => {
    if (ctrl && name === 'z') return suspend();
    user.key({ name: name === 'enter' ? 'return' : name, text: text ?? '', ctrl });
  };
  input.on('keypress', onKey);
  input.setRawMode(true);
  input.resume();
  return () => {
    input.off('keypress', onKey);
    input.setRawMode(false);
    input.pause();
  };
}
