import pc from 'picocolors';
import type { Colors } from 'picocolors/types.js';
import type { EngineAccess } from './engine-access.ts';
import type { Terminal } from './terminal.ts';

/** What a command may use of the world around it; tests give another one. */
export interface Cli {
  env: NodeJS.ProcessEnv;
  /** Where the caller stands; absolute. Throws USAGE where that is no more. */
  readonly directory: string;
  /** How people call this program: `holdpoint`, or `npx holdpoint` when it was called so. */
  self: string;
  /** Data. */
  out: Screen;
  /** Everything that is not data. */
  err: Screen;
  /** Absent where nothing can be drawn. */
  terminal?: Terminal;
  readStandardInput(): AsyncIterable<Uint8Array>;
  /** Asks whoever is at the terminal for a yes; absent where nobody is. */
  ask?(question: string): Promise<boolean>;
  /**
   * From now on Ctrl+C, TERM and HUP abort this signal, with their names as the reason; a second one ends the process. So does,
   * where that is asked for, standard output that nobody reads any more, which otherwise ends the process.
   */
  interrupt(options?: { whenUnread?: boolean }): AbortSignal;
  /** Shows a web page to whoever called. */
  openPage(address: string): Promise<void>;
  engine: EngineAccess;
  /** What the process exits with unless something is thrown. */
  exitCode: number;
}

export interface Screen {
  line(text: string): void;
  /** Resolves when there is room for more: whoever shows a lot waits for it. */
  drained?(): Promise<void>;
  colours: Colors;
  /** Of a terminal, how many characters fit in a line. */
  columns?: number;
}

/** Shell conventions give a process that Ctrl+C ended this code. */
export const INTERRUPTED = 130;
const ENDED_BY: Record<string, number> = { SIGTERM: 143, SIGHUP: 129, SIGPIPE: 141 };

/** What a process exits with that was told to end: by Ctrl+C, unless the signal says by what else. */
export const exitOf = ({ reason }: AbortSignal): number => ENDED_BY[String(reason)] ?? INTERRUPTED;

export const printJson = ({ out }: Cli, value: unknown): void => out.line(JSON.stringify(value, null, 2));

/** What `--no-color` asks for. */
export function withoutColours({ out, err }: Cli): void {
  for (const screen of [out, err]) screen.colours = pc.createColors(false);
}
