import { isUtf8 } from 'node:buffer';
import { Fault, type FaultCode } from '../../faults.ts';

export const LARGEST_BYTES = 2 * 1_024 * 1_024;
export const TOO_LARGE = `the plan file is larger than ${LARGEST_BYTES / 1_024 / 1_024} MiB`;

/** The text of a plan file, from a source that may be endless. Throws PLAN_INVALID when it is too large, or no text. */
export async function readPlanText(source: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > LARGEST_BYTES) throw wrong('PLAN_INVALID', TOO_LARGE);
    chunks.push(chunk);
  }
  return textOfBytes(Buffer.concat(chunks), 'PLAN_INVALID');
}

/**
 * The bytes as text. What is not UTF-8 is refused with its place: a plan that runs something else than was written would
 * be worse.
 */
export function textOfBytes(bytes: Buffer, code: FaultCode): string {
  if (isUtf16(bytes)) throw wrong(code, 'this is UTF-16; save it as UTF-8');
  if (isUtf8(bytes)) return bytes.toString('utf8').replace(/^\uFEFF/, '');
  const before = soundStart(bytes).split('\n');
  throw wrong(code, 'this is not UTF-8', before.length, before.at(-1)!.length + 1);
}

/** With its mark, or by the zeros that it makes of plain letters. */
function isUtf16([a, b, c, d]: Buffer): boolean {
  const marked = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
  return marked || (b === 0 && d === 0 && Boolean(a && c)) || (a === 0 && c === 0 && Boolean(b && d));
}

/** What stands before the first bytes that are no character. */
function soundStart(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  const again = Buffer.from(text);
  let at = 0;
  while (at < bytes.length && bytes[at] === again[at]) at += 1;
  return bytes
    .subarray(0, at)
    .toString('utf8')
    .replace(/\uFFFD$/, '');
}

const wrong = (code: FaultCode, message: string, line = 1, column = 1): Fault =>
  new Fault(code, `line ${line}, column ${column}: ${message}`, { errors: [{ message, path: [], line, column }] });
