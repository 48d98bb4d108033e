import { createWriteStream, type WriteStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { continuesCharacter, wholeCharacters } from './characters.ts';

/** What one stream of a task may leave on disk: its beginning, and as much of its end as fits in memory. */
export const LOG_HEAD_BYTES = 64 * 1_024 * 1_024;
export const LOG_TAIL_BYTES = 256 * 1_024;

const mark = (dropped: number): string => `\n… ${dropped} bytes dropped …\n`;
/** A line of a log that is the mark: how many bytes are not there. */
export const DROPPED_LINE = /^… (\d+) bytes dropped …$/;

/** How many bytes the mark in a finished log says are not there; 0 when there is none at its place. */
export async function readDropped(file: FileHandle): Promise<number> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, LOG_HEAD_BYTES);
  // The head goes on to the end of a character.
  const [, line = ''] = wholeCharacters(buffer.subarray(0, bytesRead)).toString('utf8').split('\n');
  return Number(DROPPED_LINE.exec(line)?.[1] ?? 0);
}

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
  private head = 0;
  private headEnded = false;
  private ring: Buffer | undefined;
  private pastHead = 0;
  private failure: Error | undefined;
  private room: Promise<void> | undefined;
  private giveRoom = () => {};

  /** `onFailure`: writing failed, and what comes from now on is lost. A full disk must fail the task, not the worker. */
  constructor(path: string, options: { headLimit?: number; onFailure?: () => void } = {}) {
    this.path = path;
    this.headLimit = options.headLimit ?? LOG_HEAD_BYTES;
    this.file = createWriteStream(path, { mode: 0o600 });
    this.file.on('error', (error) => {
      this.failure = error;
      options.onFailure?.();
    });
    for (const event of ['drain', 'close'])
      this.file.on(event, () => {
        this.room = undefined;
        this.giveRoom();
      });
  }

  /** Takes a chunk. A promise means that the disk is behind: whoever writes must wait for it, or memory grows. */
  write(chunk: Buffer): Promise<void> | undefined {
    this.bytes += chunk.length;
    const forHead = this.headEnded ? 0 : this.headPart(chunk);
    if (forHead < chunk.length) this.keep(chunk.subarray(forHead));
    if (forHead === 0 || this.failure) return undefined;
    this.head += forHead;
    if (this.file.write(chunk.subarray(0, forHead))) return undefined;
    this.room ??= new Promise((resolve) => {
      this.giveRoom = resolve;
    });
    return this.room;
  }

  /** Writes what was held back, and closes; throws what writing met. */
  async end(): Promise<void> {
    const tail = this.tail();
    this.dropped = this.bytes - this.head - tail.length;
    if (this.dropped > 0) this.file.write(mark(this.dropped));
    if (tail.length > 0) this.file.write(tail);
    this.file.end();
    await finished(this.file).catch(() => {});
    if (this.failure)
      throw new Error(`the output could not be written: ${this.failure.message}`, { cause: this.failure });
  }

  /** How much of a chunk still belongs to the head, which goes on past its limit to the end of a character. */
  private headPart(chunk: Buffer): number {
    let end = Math.max(0, this.headLimit - this.head);
    if (end >= chunk.length) return chunk.length;
    const last = end + 3 - Math.max(0, this.head - this.headLimit);
    while (end < Math.min(last, chunk.length) && continuesCharacter(chunk[end]!)) end++;
    this.headEnded = end < chunk.length;
    return end;
  }

  /** The newest bytes, in a ring: output that comes byte by byte takes no more memory or time. */
  private keep(chunk: Buffer): void {
    this.ring ??= Buffer.alloc(LOG_TAIL_BYTES);
    const newest = chunk.subarray(-LOG_TAIL_BYTES);
    this.pastHead += chunk.length;
    const copied = newest.copy(this.ring, (this.pastHead - newest.length) % LOG_TAIL_BYTES);
    newest.copy(this.ring, 0, copied);
  }

  private tail(): Buffer {
    if (!this.ring || this.pastHead <= LOG_TAIL_BYTES) return this.ring?.subarray(0, this.pastHead) ?? Buffer.alloc(0);
    const oldest = this.pastHead % LOG_TAIL_BYTES;
    return wholeCharacters(Buffer.concat([this.ring.subarray(oldest), this.ring.subarray(0, oldest)]));
  }
}
