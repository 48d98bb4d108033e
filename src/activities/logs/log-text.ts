import type { LogRef } from './attempt-files.ts';
import type { LogStore } from './log-store.ts';

/** Part of a log as text: bytes `offset` to `next`, the last not included. */
export interface TextPiece {
  offset: number;
  next: number;
  text: string;
}

/**
 * A part of a log in pieces of text, none of which ends inside a character. The beginning of one at the very end is left
 * for later, unless nothing more will come. What is not UTF-8 becomes U+FFFD.
 */
export async function* readText(
  store: LogStore,
  planId: string,
  log: LogRef,
  { from, to, complete }: { from: number; to: number; complete: boolean },
): AsyncGenerator<TextPiece> {
  let offset = from;
  let held = Buffer.alloc(0);
  for await (const chunk of store.read(planId, log, from, to)) {
    const bytes = Buffer.concat([held, chunk]);
    const whole = wholeUntil(bytes);
    held = bytes.subarray(whole);
    if (whole === 0) continue;
    yield { offset, next: offset + whole, text: bytes.toString('utf8', 0, whole) };
    offset += whole;
  }
  if (complete && held.length > 0) yield { offset, next: offset + held.length, text: held.toString('utf8') };
}

/** Where the last character that has begun but not ended begins; else the end. */
function wholeUntil(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    return back < lengthOf(byte) ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Bytes of the character that begins so; 1 for what begins none. */
const lengthOf = (byte: number): number =>
  byte >= 0xf0 && byte < 0xf5 ? 4 : byte >= 0xe0 && byte < 0xf0 ? 3 : byte >= 0xc2 && byte < 0xe0 ? 2 : 1;

const BLOCK_BYTES = 64 * 1_024;
const NEWLINE = 0x0a;

/** Where the last so many lines of a log begin. One without its line break counts. */
export async function tailOffset(store: LogStore, planId: string, log: LogRef, bytes: number, lines: number) {
  let left = lines;
  for (let end = bytes; end > 0 && lines > 0; end -= BLOCK_BYTES) {
    const start = Math.max(0, end - BLOCK_BYTES);
    const block = await bytesOf(store, planId, log, start, end);
    for (let i = block.length - 1; i >= 0; i--) {
      // The last byte of all ends the last line; it does not begin another.
      if (block[i] !== NEWLINE || start + i === bytes - 1) continue;
      left -= 1;
      if (left === 0) return start + i + 1;
    }
  }
  return lines > 0 ? 0 : bytes;
}

async function bytesOf(store: LogStore, planId: string, log: LogRef, from: number, to: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of store.read(planId, log, from, to)) pieces.push(piece);
  return Buffer.concat(pieces);
}
