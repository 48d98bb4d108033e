import { createWriteStream } from 'node:fs';
import { addAbortSignal, type Duplex, pipeline as join, type Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { TaskFailure } from '../kind.ts';
import { type Answer, reasonOf } from './follow.ts';
import { shownUrl } from './shown-url.ts';

/** Writes an answer's decoded body to a file; gives its size. The `before` bytes of earlier pages count. */
export const receive = (
  answer: Answer,
  path: string,
  maxBytes: number,
  signal: AbortSignal,
  before = 0,
): Promise<number> => receiveInto(createWriteStream(path, { mode: 0o600 }), answer, maxBytes, signal, before);

/** The same, kept in memory, as text. */
export async function receiveText(answer: Answer, maxBytes: number, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  const write = (chunk: Buffer, _encoding: string, done: () => void) => {
    chunks.push(chunk);
    done();
  };
  await receiveInto(new Writable({ write }), answer, maxBytes, signal, 0);
  // A mark of the byte order is no part of a text.
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** More than `maxBytes`, sent or decoded, fails the task for good. */
async function receiveInto(
  sink: Writable,
  answer: Answer,
  maxBytes: number,
  signal: AbortSignal,
  before: number,
): Promise<number> {
  const { method, url, body } = answer;
  const size = { bytes: before };
  // A small body can stand for gigabytes, and a large one for nothing.
  const stages = [body, atMost(maxBytes, { bytes: before }), ...readersOf(answer), atMost(maxBytes, size)];
  try {
    await pipeline([...stages, sink], { signal });
  } catch (error) {
    signal.throwIfAborted();
    const final = error instanceof TaskFailure && error.why;
    const what = final ? reasonOf(error) : `the answer broke off: ${reasonOf(error)}`;
    throw new TaskFailure(`${method} ${shownUrl(url)}: ${what}`, { final });
  }
  return size.bytes - before;
}

/** Counts what passes, and ends it past the limit. */
const atMost = (limit: number, size: { bytes: number }): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size.bytes += chunk.length;
      const message = `the answer is larger than ${limit} bytes; max_bytes says how much is taken`;
      if (size.bytes > limit) done(new TaskFailure(message, { final: 'hopeless' }));
      else done(null, chunk);
    },
  });

/** How much of an unexpected answer is told, and how long its text is waited for. */
const EXCERPT_BYTES = 1_024;
const EXCERPT_MS = 2_000;

/** The beginning of an answer's text, as far as it comes. */
export async function excerpt(answer: Answer): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    const body = readersOf(answer).reduce<Readable>((from, decoder) => join(from, decoder, () => {}), answer.body);
    for await (const chunk of addAbortSignal(AbortSignal.timeout(EXCERPT_MS), body) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= EXCERPT_BYTES) break;
    }
  } catch {} // The status is what failed the task.
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, EXCERPT_BYTES), { stream: true });
}

/** What makes of the bytes that came those that are kept: decoded, then masked. */
const readersOf = (answer: Answer): Duplex[] => [...decodersOf(answer), ...masker(answer)];

function masker({ mask }: Answer): Duplex[] {
  const masked = mask.stream();
  if (!masked) return [];
  const transform = (chunk: Buffer, _encoding: string, done: (error: null, shown: Buffer) => void) =>
    done(null, masked.write(chunk));
  return [new Transform({ transform, flush: (done) => done(null, masked.end()) })];
}

const DECODERS: Record<string, () => Duplex> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
};
const MOST_ENCODINGS = 3;

function decodersOf({ method, url, status, headers }: Answer): Duplex[] {
  const empty = method === 'HEAD' || status === 204 || status === 304 || headers['content-length'] === '0';
  const names = String(headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name && name !== 'identity');
  if (empty || names.length === 0) return [];
  if (names.length > MOST_ENCODINGS || names.some((name) => !Object.hasOwn(DECODERS, name)))
    throw new TaskFailure(`${method} ${shownUrl(url)}: the answer is encoded in a way that cannot be read`, {
      final: 'hopeless',
    });
  return names.reverse().map((name) => DECODERS[name]!());
}
