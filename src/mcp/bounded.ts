import type { OpenLog } from '../service/logs.ts';

export interface Part {
  text: string;
  from: number;
  to: number;
}

/** So much of a log as text, of its beginning or its end; no character is cut in two, what is not UTF-8 is U+FFFD. */
export async function bounded({ from, to, read }: OpenLog, most: number, keep: 'begin' | 'end'): Promise<Part> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of read()) {
    chunks.push(chunk);
    size += chunk.length;
    if (keep === 'begin' && size >= most) break;
    while (keep === 'end' && size - chunks[0]!.length >= most) size -= chunks.shift()!.length;
  }
  const bytes = Buffer.concat(chunks);
  if (keep === 'begin') {
    const end = bytes.length > most || from + bytes.length < to ? lastWhole(bytes.subarray(0, most)) : bytes.length;
    return { text: bytes.toString('utf8', 0, end), from, to: from + end };
  }
  const begin = bytes.length > most ? firstWhole(bytes, bytes.length - most) : 0;
  return { text: bytes.toString('utf8', begin), from: to - (bytes.length - begin), to };
}

const isInside = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

function firstWhole(bytes: Buffer, at: number): number {
  let begin = at;
  while (begin < at + 4 && isInside(bytes[begin])) begin += 1;
  return begin;
}

/** Up to the last character that begins in it and may go on after it; a part of nothing else is given as it is. */
function lastWhole(bytes: Buffer): number {
  let begin = bytes.length;
  do begin -= 1;
  while (begin > 0 && begin > bytes.length - 4 && isInside(bytes[begin]));
  const lead = bytes[begin] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return begin > 0 && begin + length > bytes.length ? begin : bytes.length;
}
