import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

/** What one stream of a task may leave on disk: its beginning, and as much of its end as fits in memory. */
export const LOG_HEAD_BYTES = 64 * 1_024 * 1_024;
export const LOG_TAIL_BYTES = 256 * 1_024;

/**
 * Writes output to a file with bounded size and memory: the head as it comes; past it the newest bytes are kept and put
 * after an explicit mark at the end. Never cuts inside a UTF-8 character.
 */
export class BoundedLog {
  readonly path: string;
  bytes = 0;
  /** Bytes that were not kept; known once it has ended. */
  dropped = 0;
  private readonly file: WriteStream;
  private readonly headLimit: number;
  private tail: Buffer[] = [];
  private tailBytes = 0;
  private failure: Error | undefined;

  constructor(path: string, headLimit = LOG_HEAD_BYTES) {
    this.path = path;
    this.headLimit = headLimit;
    this.file = createWriteStream(path, { mode: 0o600 });
    // A full disk must fail the task with that reason, not the worker.
    this.file.on('error', (error) => {
      this.failure = error;
    });
  }

  write(chunk: Buffer): void {
    const room = Math.max(0, this.headLimit - this.bytes);
    this.bytes += chunk.length;
    if (room > 0) this.file.write(chunk.subarray(0, room));
    if (chunk.length > room) this.keep(chunk.subarray(room));
  }

  /** Writes what was held back, and closes; throws what writing met. */
  async end(): Promise<void> {
    const tail = wholeCharacters(Buffer.concat(this.tail).subarray(-LOG_TAIL_BYTES));
    this.dropped = Math.max(0, this.bytes - this.headLimit - tail.length);
    if (this.dropped > 0) this.file.write(`\n… ${this.dropped} bytes dropped …\n`);
    if (tail.length > 0) this.file.write(tail);
    this.file.end();
    await finished(this.file).catch(() => {});
    if (this.failure) throw new Error(`the output could not be written: ${this.failure.message}`);
  }

  private keep(chunk: Buffer): void {
    this.tail.push(chunk);
    this.tailBytes += chunk.length;
    while (this.tailBytes - this.tail[0]!.length >= LOG_TAIL_BYTES) this.tailBytes -= this.tail.shift()!.length;
  }
}

/** Leaves out the continuation bytes at the front, whose character began before. */
function wholeCharacters(bytes: Buffer): Buffer {
  let start = 0;
  while (start < Math.min(3, bytes.length) && (bytes[start]! & 0xc0) === 0x80) start++;
  return bytes.subarray(start);
}
