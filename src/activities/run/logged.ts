import type { AttemptContext } from '../kind.ts';
import { BoundedLog } from './bounded-log.ts';
import { TextTail } from './characters.ts';
import { runCommand } from './command.ts';

/** How much of the last error output a failure tells. */
const STDERR_SHOWN_BYTES = 2_048;

/** The log of one attempt; commands write into it one after another. */
export interface AttemptLog {
  /** A promise means that the disk is behind. */
  write(chunk: Buffer): Promise<void> | undefined;
  /** Aborts when it cannot be written: output that nobody keeps is no reason to go on for hours. */
  lost: AbortSignal;
  /** Throws what writing met. */
  end(): Promise<void>;
}

export function openLog(path: string): AttemptLog {
  const lost = new AbortController();
  const log = new BoundedLog(path, { onFailure: () => lost.abort() });
  return { write: (chunk) => log.write(chunk), lost: lost.signal, end: () => log.end() };
}

export interface Logged {
  script: string;
  directory: string;
  env: Record<string, string>;
  log: AttemptLog;
  /** A file for standard output alone. */
  stdout?: string;
  /** How many of the last bytes of its error output are given; 2 KiB unless said. */
  stderrBytes?: number;
  /** Ends this command only. */
  signal?: AbortSignal;
  /** What of standard output stands in the log, when that is not all of it as it is. */
  shown?(chunk: Buffer): Buffer;
}

export interface LoggedEnd {
  code: number;
  stdout: BoundedLog | undefined;
  /** Its last bytes. */
  stderr: string;
}

/** Runs a script to its end and keeps what it writes, secrets masked. Throws when it was ended from outside. */
export async function runLogged(
  { log, signal, shown, stderrBytes = STDERR_SHOWN_BYTES, ...files }: Logged,
  context: AttemptContext,
): Promise<LoggedEnd> {
  const lost = new AbortController();
  const stdout =
    files.stdout === undefined ? undefined : new BoundedLog(files.stdout, { onFailure: () => lost.abort() });
  const errors = new TextTail(stderrBytes);
  const masks = { stdout: context.secrets.mask.stream(), stderr: context.secrets.mask.stream() };
  const take = (stream: 'stdout' | 'stderr', chunk: Buffer) => {
    if (chunk.length === 0) return undefined;
    if (stream === 'stderr') errors.write(chunk);
    const forLog = stream === 'stdout' && shown ? shown(chunk) : chunk;
    const waits = [log.write(forLog), stream === 'stdout' ? stdout?.write(chunk) : undefined].filter(Boolean);
    return waits.length > 0 ? Promise.all(waits) : undefined;
  };
  // Its silence counts from here.
  context.onOutput();
  const code = await runCommand({
    ...files,
    signal: AbortSignal.any([context.signal, log.lost, lost.signal, ...(signal ? [signal] : [])]),
    onStart: context.onProcessGroup,
    onOutput(stream, chunk) {
      context.onOutput();
      return take(stream, masks[stream]?.write(chunk) ?? chunk);
    },
  }).finally(() => {
    for (const stream of ['stdout', 'stderr'] as const) take(stream, masks[stream]?.end() ?? Buffer.alloc(0));
    return stdout?.end();
  });
  // What we ended ourselves did not fail, nor succeed, by itself.
  if (!log.lost.aborted) context.signal.throwIfAborted();
  return { code, stdout, stderr: errors.text() };
}
